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
  const link = (below: string, to: string): void => {
    mkdirSync(path.dirname(at(below)), { recursive: true });
    symlinkSync(at(to), at(below));
  };
  const find = (isTrusted: boolean) =>
    createSkillShelf({ roots: [at('web')], isTrusted: () => isTrusted, userSkills: at('home') }).find();

  interface Row {
    readonly name: string;
    /** The folder of a skill. */
    readonly skill?: string;
    /** What each link leads to. */
    readonly links: Readonly<Record<string, string>>;
    readonly isTrusted?: false;
    readonly found: readonly string[];
    /** Why one is left out. */
    readonly why?: string;
  }
  const outside = 'a link leads outside';
  const rows: readonly Row[] = [
    {
      name: 'a folder of the user that leads elsewhere',
      skill: 'elsewhere/plum',
      links: { 'home/plum': 'elsewhere/plum' },
      found: ['plum'],
    },
    {
      name: 'a folder of the user that leads into a trusted workspace',
      skill: 'web/skills/plum',
      links: { 'home/plum': 'web/skills/plum' },
      found: ['plum'],
    },
    {
      name: 'a folder of the user that leads into an untrusted workspace',
      skill: 'web/skills/plum',
      links: { 'home/plum': 'web/skills/plum' },
      isTrusted: false,
      found: [],
      why: 'it is in a workspace that is not trusted',
    },
    {
      name: 'a folder of the workspace that leads to another one in it',
      skill: 'web/skills/plum',
      links: { 'web/.agents/skills/plum': 'web/skills/plum' },
      found: ['plum'],
    },
    {
      name: 'a folder of the workspace that leads outside',
      skill: 'elsewhere/plum',
      links: { 'web/.agents/skills/plum': 'elsewhere/plum' },
      found: [],
      why: outside,
    },
    {
      name: 'a folder of the workspace that leads outside, where no skill is',
      links: { 'web/.agents/skills/plum': 'elsewhere' },
      found: [],
      why: outside,
    },
    {
      name: 'a folder that leads nowhere',
      links: { 'web/.agents/skills/plum': 'missing' },
      found: [],
      why: 'its link leads nowhere',
    },
    {
      name: 'a file of the workspace that leads outside',
      skill: 'elsewhere/plum',
      links: { 'web/.agents/skills/plum/SKILL.md': 'elsewhere/plum/SKILL.md' },
      found: [],
      why: outside,
    },
  ];
  for (const { name, skill: made, links, isTrusted = true, found, why } of rows) {
    it(`${why === undefined ? 'follow' : 'do not follow'} ${name}`, async () => {
      if (made !== undefined) skill(made);
      for (const [below, to] of Object.entries(links)) link(below, to);
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
