import { describeEscapes } from '../../../../support/escapes/describe-escapes';
import { linux } from '../../../../support/platform';

linux.describe('G38 commands in the sandbox that try to do what the system must refuse', () =>
  describeEscapes('rights'),
);
