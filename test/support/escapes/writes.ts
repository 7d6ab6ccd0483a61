import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { python, type Escape } from './escape';
import { startSleeper } from './helper-processes';
import type { World } from './world';

const victim = (world: World): string => path.join(world.outside, 'victim.txt');
const spoilsVictim = (world: World): boolean => world.isSpoilt(victim(world));
const showsOutside = ({ outside }: World) => ({ readPaths: [outside] });

/** Writes outside the workspace, and to protected paths in it. */
export const writes: readonly Escape[] = [
  {
    name: 'write outside by an absolute path',
    attempt: (world) => `echo spoilt > ${victim(world)}`,
    succeeded: spoilsVictim,
  },
  {
    name: 'make a folder outside by a relative path',
    attempt: () => 'mkdir -p ../outside/made',
    succeeded: (world) => world.has('../outside/made'),
  },
  {
    name: 'write in a folder that it may read',
    settings: showsOutside,
    attempt: (world) => `echo spoilt > ${victim(world)}`,
    succeeded: spoilsVictim,
  },
  {
    name: 'remove a file in a folder that it may read',
    settings: showsOutside,
    attempt: (world) => `rm -f ${victim(world)}`,
    succeeded: (world) => !world.has(victim(world)),
  },
  {
    name: 'change a mode in a folder that it may read',
    settings: showsOutside,
    attempt: (world) => `chmod 777 ${victim(world)}`,
    succeeded: (world) => (lstatSync(victim(world)).mode & 0o777) === 0o777,
  },
  {
    name: 'write at home',
    attempt: () => 'echo spoilt >> ~/.bashrc',
    succeeded: (world) => world.isSpoilt('../home/.bashrc'),
  },
  {
    name: 'write at home if it may read there',
    settings: () => ({ readPaths: ['~'] }),
    attempt: () => 'echo spoilt >> ~/.bashrc',
    succeeded: (world) => world.isSpoilt('../home/.bashrc'),
  },
  {
    name: 'replace a program on the PATH',
    attempt: () => 'echo spoilt > ~/.cargo/bin/tool',
    succeeded: (world) => world.isSpoilt('../home/.cargo/bin/tool'),
  },
  {
    name: 'overwrite settings of the editor',
    attempt: () => 'echo spoilt > .vscode/settings.json',
    succeeded: (world) => world.isSpoilt('.vscode/settings.json'),
  },
  {
    name: 'add settings of the editor to others',
    attempt: () => 'echo spoilt > .vscode/tasks.json',
    succeeded: (world) => world.isSpoilt('.vscode/tasks.json'),
  },
  {
    name: 'make the first settings of the editor',
    prepare: (world) => rmSync(world.in('.vscode'), { recursive: true }),
    attempt: () => 'mkdir .vscode && echo spoilt > .vscode/settings.json',
    succeeded: (world) => world.has('.vscode'),
  },
  {
    name: 'overwrite .mcp.json',
    attempt: () => 'echo spoilt > .mcp.json',
    succeeded: (world) => world.isSpoilt('.mcp.json'),
  },
  {
    name: 'make a new .mcp.json',
    prepare: (world) => rmSync(world.in('.mcp.json')),
    attempt: () => 'echo spoilt > .mcp.json',
    succeeded: (world) => world.has('.mcp.json'),
  },
  {
    name: 'replace .mcp.json by another file',
    attempt: () => 'echo spoilt > mine && mv -f mine .mcp.json',
    succeeded: (world) => world.isSpoilt('.mcp.json'),
    leaves: ['mine'],
  },
  {
    name: 'remove .mcp.json',
    attempt: () => 'rm -f .mcp.json',
    succeeded: (world) => !world.has('.mcp.json'),
  },
  {
    name: 'remove settings of the editor',
    attempt: () => 'rm -rf .vscode',
    succeeded: (world) => !world.has('.vscode/settings.json'),
  },
  {
    name: 'write through an existing link',
    prepare: (world) => symlinkSync(world.outside, world.in('link')),
    attempt: () => 'echo spoilt > link/victim.txt',
    succeeded: spoilsVictim,
  },
  {
    name: 'write through a new link',
    attempt: (world) => `ln -s ${world.outside} link && echo spoilt > link/victim.txt`,
    succeeded: spoilsVictim,
    leaves: ['link'],
  },
  {
    name: 'write through a new link to a folder that it may read',
    settings: showsOutside,
    attempt: (world) => `ln -s ${world.outside} link && echo spoilt > link/victim.txt`,
    succeeded: spoilsVictim,
    leaves: ['link'],
  },
  {
    name: 'write through a new hard link to a file that it may read',
    settings: showsOutside,
    attempt: (world) => `ln ${victim(world)} hard && echo spoilt > hard`,
    succeeded: spoilsVictim,
  },
  {
    name: 'write through a new hard link to a protected file',
    attempt: () => 'ln .mcp.json hard && echo spoilt > hard',
    succeeded: (world) => world.isSpoilt('.mcp.json'),
  },
  {
    name: 'write by /proc/self/root',
    attempt: (world) => `echo spoilt > /proc/self/root${victim(world)}`,
    succeeded: spoilsVictim,
  },
  {
    name: 'write by the root of a process outside',
    prepare: startSleeper,
    attempt: (world) => `echo spoilt > /proc/${world.sleeper}/root${victim(world)}`,
    succeeded: spoilsVictim,
  },
  {
    name: 'write by the folder of a process outside',
    prepare: startSleeper,
    attempt: (world) => `echo spoilt > /proc/${world.sleeper}/cwd/../outside/victim.txt`,
    succeeded: spoilsVictim,
  },
  {
    name: 'rename the folder around protected settings and make another',
    attempt: () => 'mv sub sub2; mkdir -p sub/.vscode; echo spoilt > sub/.vscode/settings.json',
    succeeded: (world) => world.isSpoilt('sub/.vscode/settings.json'),
  },
  {
    name: 'swap the folder around protected settings with another',
    attempt: () =>
      `mkdir -p mine/.vscode; echo spoilt > mine/.vscode/settings.json; ${python(
        "call(316, -100, b'mine', -100, b'sub', 2)",
      )}`,
    succeeded: (world) => world.isSpoilt('sub/.vscode/settings.json'),
    leaves: ['mine'],
  },
  {
    name: 'replace the folder around protected settings by a link',
    attempt: () =>
      'mkdir -p mine/.vscode; echo spoilt > mine/.vscode/settings.json; mv sub old; ln -sn mine sub',
    succeeded: (world) => world.isSpoilt('sub/.vscode/settings.json'),
    leaves: ['mine', 'sub/mine'],
  },
  {
    name: 'hide a new protected file in a folder without any permission',
    attempt: () =>
      'mkdir -p locked/.vscode && echo spoilt > locked/.vscode/settings.json && chmod 000 locked/.vscode locked',
    succeeded: (world) => {
      for (const folder of ['locked', 'locked/.vscode'])
        if (world.has(folder)) chmodSync(world.in(folder), 0o700);
      return world.isSpoilt('locked/.vscode/settings.json');
    },
    leaves: ['locked'],
  },
  {
    name: 'hide a new protected file in a folder whose name is not text',
    attempt: () =>
      String.raw`mkdir -p $'odd\xff\xfe'/.vscode && echo spoilt > $'odd\xff\xfe'/.vscode/settings.json`,
    succeeded: (world) => findSpoilt(world, 'odd'),
    leaves: ['odd\xff\xfe'],
  },
  {
    name: 'hide a new protected file in a folder with a line break in its name',
    attempt: () =>
      String.raw`mkdir -p $'odd\n-rf'/.vscode && echo spoilt > $'odd\n-rf'/.vscode/settings.json`,
    succeeded: (world) => findSpoilt(world, 'odd'),
    leaves: ['odd\n-rf'],
  },
  {
    name: 'hide a new protected file deep down',
    attempt: () => `mkdir -p ${DEEP}/.vscode && echo spoilt > ${DEEP}/.vscode/settings.json`,
    succeeded: (world) => world.isSpoilt(`${DEEP}/.vscode/settings.json`),
    leaves: ['d'],
  },
  {
    name: 'change settings behind a protected link',
    prepare: (world) => linkSettings(world, 'conf'),
    attempt: () => 'echo spoilt > conf/settings.json',
    succeeded: (world) => world.isSpoilt('.vscode/settings.json'),
  },
  {
    name: 'rename the folder behind a protected link and make another',
    prepare: (world) => linkSettings(world, 'conf'),
    attempt: () => 'mv conf conf2; mkdir -p conf; echo spoilt > conf/settings.json',
    succeeded: (world) => world.isSpoilt('.vscode/settings.json'),
  },
  {
    name: 'replace a protected link by a folder',
    prepare: (world) => linkSettings(world, 'conf'),
    attempt: () => 'rm .vscode; mkdir .vscode; echo spoilt > .vscode/settings.json',
    succeeded: (world) => world.isSpoilt('.vscode/settings.json'),
  },
  {
    name: 'make the target of a protected link',
    prepare: (world) => {
      rmSync(world.in('.vscode'), { recursive: true });
      symlinkSync('conf', world.in('.vscode'));
    },
    attempt: () => 'mkdir conf; echo spoilt > conf/settings.json',
    succeeded: (world) => world.isSpoilt('.vscode/settings.json'),
    leaves: ['conf', '.vscode'],
  },
  {
    name: 'redirect a link in the path of a protected link',
    prepare: (world) => {
      linkSettings(world, 'conf');
      rmSync(world.in('.vscode'));
      symlinkSync('conf', world.in('way'));
      symlinkSync('way', world.in('.vscode'));
    },
    attempt: () => 'mkdir mine; echo spoilt > mine/settings.json; ln -sfn mine way',
    succeeded: (world) => world.isSpoilt('.vscode/settings.json'),
    leaves: ['mine', 'way', '.vscode'],
  },
  {
    name: 'write through a protected link that leads outside',
    prepare: (world) => {
      rmSync(world.in('.vscode'), { recursive: true });
      symlinkSync(world.outside, world.in('.vscode'));
    },
    attempt: () => 'echo spoilt > .vscode/victim.txt',
    succeeded: spoilsVictim,
  },
  {
    name: 'change a secret file',
    attempt: () => 'echo spoilt > .env',
    succeeded: (world) => world.isSpoilt('.env'),
  },
  {
    name: 'remove a secret file',
    attempt: () => 'rm -f .env',
    succeeded: (world) => !world.has('.env'),
  },
  {
    name: 'add to installed packages',
    prepare: (world) => world.write('node_modules/one/index.js', '1;\n'),
    attempt: () => 'echo spoilt > node_modules/one/other.js',
    succeeded: (world) => world.has('node_modules/one/other.js'),
  },
  {
    name: 'make packages below a folder',
    attempt: () => 'mkdir -p src/node_modules/one; echo spoilt > src/node_modules/one/index.js',
    succeeded: (world) => world.has('src/node_modules'),
  },
  {
    name: 'write in the temporary folder of the sandbox',
    settings: () => ({ writePaths: [temporaryFolder()] }),
    attempt: () => `for each in ${temporaryFolder()}/parley-sandbox-*; do touch $each/spoilt; done`,
    succeeded: () => {
      const folders = readdirSync(temporaryFolder()).filter((name) => name.startsWith('parley-sandbox-'));
      const spoilt = folders.map((name) => path.join(temporaryFolder(), name, 'spoilt')).filter(existsSync);
      for (const file of spoilt) rmSync(file);
      return spoilt.length > 0;
    },
  },
  {
    name: 'write in shared memory',
    prepare: (world) => {
      const file = sharedFile();
      world.write(file, 'untouched');
      world.after(() => rmSync(file, { force: true }));
    },
    attempt: () => `echo spoilt > ${sharedFile()}`,
    succeeded: (world) => world.isSpoilt(sharedFile()),
  },
];

const DEEP = Array.from({ length: 60 }, () => 'd').join('/');

/** The temporary folder of the process that runs the table. */
const temporaryFolder = (): string => process.env['TMPDIR'] ?? '';

const sharedFile = (): string => `/dev/shm/parley-escapes-${process.pid}`;

/** Makes `.vscode` a link to a folder of the workspace. */
function linkSettings(world: World, folder: string): void {
  execFileSync('mv', [world.in('.vscode'), world.in(folder)]);
  symlinkSync(folder, world.in('.vscode'));
}

/** Whether such settings exist in a folder with this prefix. */
function findSpoilt(world: World, beginning: string): boolean {
  const folders = readdirSync(Buffer.from(world.workspace), { encoding: 'buffer' });
  return folders.some((name) => {
    if (!name.toString('latin1').startsWith(beginning)) return false;
    const settings = [Buffer.from(`${world.workspace}/`), name, Buffer.from('/.vscode')];
    try {
      lstatSync(Buffer.concat(settings));
      return true;
    } catch {
      return false;
    }
  });
}
