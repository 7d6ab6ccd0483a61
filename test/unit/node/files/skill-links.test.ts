import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSkillShelf } from '../../../../src/node/files/skills';
import { posix } from '../../../support/platform';

posix.describe('links among skills', () => {
  let parent: string;
  beforeEach(() => {
    parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-skills-')));
    for (const folder of ['home', 'web/.agents/skills', 'elsewhere'])
      mkdirSync(at(folder), { recursive: true });
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  const at = (below: string): string => path.join(parent, below);
  const skill = (below: string): void => {
    mkdirSync(at(below), { recursive: true });
    writeFileSync(at(`${below}/SKILL.md`), `---\nname: ${path.basename(below)}\ndescription: x\n---\n`);
  };
  const link = (below: string, to: string): void => symlinkSync(at(to), at(below));
  const find = (isTrusted: boolean) =>
    createSkillShelf({ roots: [at('web')], isTrusted: () => isTrusted, userSkills: at('home') }).find();

  interface Row {
    readonly name: string;
    readonly make: () => void;
    readonly isTrusted?: false;
    readonly found: readonly string[];
    /** Why one is left out. */
    readonly why?: string;
  }
  const outside = 'a link leads outside';
  const rows: readonly Row[] = [
    {
      name: 'a folder of the user that leads elsewhere',
      make: () => (skill('elsewhere/plum'), link('home/plum', 'elsewhere/plum')),
      found: ['plum'],
    },
    {
      name: 'a folder of the user that leads into a trusted workspace',
      make: () => (skill('web/skills/plum'), link('home/plum', 'web/skills/plum')),
      found: ['plum'],
    },
    {
      name: 'a folder of the user that leads into an untrusted workspace',
      make: () => (skill('web/skills/plum'), link('home/plum', 'web/skills/plum')),
      isTrusted: false,
      found: [],
      why: 'it is in a workspace that is not trusted',
    },
    {
      name: 'a folder of the workspace that leads to another one in it',
      make: () => (skill('web/skills/plum'), link('web/.agents/skills/plum', 'web/skills/plum')),
      found: ['plum'],
    },
    {
      name: 'a folder of the workspace that leads outside',
      make: () => (skill('elsewhere/plum'), link('web/.agents/skills/plum', 'elsewhere/plum')),
      found: [],
      why: outside,
    },
    {
      name: 'a folder of the workspace that leads outside, where no skill is',
      make: () => link('web/.agents/skills/plum', 'elsewhere'),
      found: [],
      why: outside,
    },
    {
      name: 'a folder that leads nowhere',
      make: () => link('web/.agents/skills/plum', 'missing'),
      found: [],
      why: 'its link leads nowhere',
    },
    {
      name: 'a file of the workspace that leads outside',
      make: () => {
        skill('elsewhere/plum');
        mkdirSync(at('web/.agents/skills/plum'));
        link('web/.agents/skills/plum/SKILL.md', 'elsewhere/plum/SKILL.md');
      },
      found: [],
      why: outside,
    },
  ];
  for (const { name, make, isTrusted = true, found, why } of rows) {
    it(`${why === undefined ? 'follow' : 'do not follow'} ${name}`, async () => {
      make();
      const { skills, ignored } = await find(isTrusted);
      deepEqual(
        skills.map((each) => each.name),
        found,
      );
      const left = at(isTrusted ? 'web/.agents/skills/plum' : 'home/plum');
      deepEqual(ignored, why === undefined ? [] : [`The skill in ${left} is left out: ${why}.`]);
    });
  }

  it('lead to each skill once', async () => {
    skill('home/plum');
    link('home/pear', 'home/plum');
    equal((await find(true)).skills.length, 1);
  });
});
