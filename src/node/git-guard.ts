import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limits } from '../policy/limits';
import { gitConfig } from './environment';

/**
 * A repository may name a program that `git diff` starts. An empty name makes git refuse instead; it does so even where
 * no program is named, so it is given only where one is.
 */
export async function guardedDiff(
  command: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  if (!/\bgit\b/.test(command)) return environment;
  try {
    const asked = ['config', '--local', '--includes', '--get', 'diff.external'];
    await promisify(execFile)('git', asked, { cwd, env: environment, timeout: limits.gitAnswerMs });
  } catch {
    // No repository, no such setting, no git: then there is nothing to switch off.
    return environment;
  }
  return { ...environment, ...gitConfig(environment, [['diff.external', '']]) };
}
