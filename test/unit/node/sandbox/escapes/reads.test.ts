import { describeEscapes } from '../../../../support/escapes/describe-escapes';
import { linux } from '../../../../support/platform';

linux.describe('G38 commands in the sandbox that try to read what is secret', () => describeEscapes('reads'));
