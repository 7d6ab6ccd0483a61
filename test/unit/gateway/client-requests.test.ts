import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import type { ApiRequest } from '../../../src/gateway/api';
import { readChatRequest } from '../../../src/gateway/chat-api';
import { readMessagesRequest } from '../../../src/gateway/messages-api';
import { readResponsesRequest } from '../../../src/gateway/responses-api';
import { turnLine } from '../../support/agent/gateway-harness';

/** The last requests of other agents, as `npm run test:clients -- --record` wrote them, with texts cut short. */
const FOLDER = path.resolve('test/fixtures/client-requests');

function read(body: JsonObject): ApiRequest {
  if (body['input'] !== undefined) return readResponsesRequest(body);
  return body['system'] === undefined ? readChatRequest(body) : readMessagesRequest(body);
}

/** What the model gets of it. */
function summary({ instructions, tools, leftOut = [], rest, turns }: ApiRequest): string {
  return [
    `instructions ${JSON.stringify(instructions)}`,
    `tools ${tools.map(({ name }) => name).join(', ')}`,
    `left out ${leftOut.join(', ')}`,
    `passed on ${JSON.stringify(rest)}`,
    ...turns.map(turnLine),
    '',
  ].join('\n');
}

describe('the last request of another agent', () => {
  for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.json'))) {
    it(`is understood: ${path.basename(name, '.json')}`, () => {
      const file = path.join(FOLDER, name);
      const seen = summary(read(JSON.parse(readFileSync(file, 'utf8')) as JsonObject));
      const expected = file.replace('.json', '.expected.txt');
      if (process.env['UPDATE'] === '1') writeFileSync(expected, seen);
      assert.equal(seen, readFileSync(expected, 'utf8'));
    });
  }
});
