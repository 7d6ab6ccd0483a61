import { describeEscapes } from '../../../../support/escapes/describe-escapes';
import { linux } from '../../../../support/platform';

linux.describe('G38 commands in the sandbox that try to write outside or to what is protected', () =>
  describeEscapes('writes'),
);
