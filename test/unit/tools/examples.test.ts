import assert from 'node:assert/strict';
import { bindArguments } from '../../../src/core/run/bind';
import { exampleArguments } from '../../../src/protocols/prompt/describe';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

describe('the example of a tool', () => {
  let scratch: ScratchWorkspace;
  before(async () => (scratch = await ScratchWorkspace.create()));
  after(() => scratch.dispose());

  it('fits its schema as it is written', () => {
    for (const { spec } of scratch.tools) {
      const example = exampleArguments(spec);
      const bound = bindArguments(spec.parameters, example);
      assert.ok(bound.ok && bound.notes.length === 0 && bound.repairs.length === 0, spec.name);
      assert.deepEqual(bound.arguments, example, spec.name);
    }
  });

  it('is a call in the one way that models are shown', () => {
    for (const { spec } of scratch.tools) {
      const { properties = {}, required = [] } = spec.shown ?? {};
      const given = Object.keys(exampleArguments(spec));
      assert.deepEqual(
        given.filter((name) => !Object.hasOwn(properties, name)),
        [],
        spec.name,
      );
      assert.deepEqual(
        required.filter((name) => !given.includes(name)),
        [],
        spec.name,
      );
    }
  });

  it('says something that the tool can use', () => {
    for (const { spec } of scratch.tools) {
      for (const [name, value] of Object.entries(exampleArguments(spec))) {
        const where = `${spec.name}.${name}: ${JSON.stringify(value)}`;
        const about = spec.parameters.properties?.[name]?.description ?? '';
        assert.notEqual(value, 'text', where);
        if (typeof value !== 'string') continue;
        if (name === 'url') assert.ok(URL.canParse(value), where);
        if (/^The folder\b(?! or file)/.test(about)) assert.doesNotMatch(value, /\.\w+$/, where);
      }
    }
  });
});
