import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../../src/base/limits';

const KIB = 1024;
const MIB = 1024 * KIB;

/** As the threat model gives them. Times in milliseconds. */
const promised: Readonly<Partial<Record<keyof typeof limits, number>>> = {
  readLines: 2_000,
  readBytes: 256 * KIB,
  readWholeFileBytes: 10 * MIB,
  writeFileBytes: MIB,
  patchFiles: 50,
  patchHunks: 2_000,
  patchMatchingMs: 2_000,
  searchPatternCharacters: 1_000,
  searchTimeoutMs: 20_000,
  searchMatches: 1_000,
  searchLineCharacters: 500,
  searchResultBytes: 256 * KIB,
  listEntries: 5_000,
  listDepth: 20,
  globBraceAlternatives: 1_000,
  pathCharacters: 4_096,
  pathLevels: 256,
  commandCharacters: 4_096,
  commandParts: 32,
  // The threat model says 200 at most; judging as a whole stays short with this.
  commandParseMs: 25,
  commandTimeoutMs: 120_000,
  commandTimeoutMostMs: 600_000,
  commandHeadBytes: 32 * KIB,
  commandTailBytes: 32 * KIB,
  commandSpoolBytes: 16 * MIB,
  commandKillBytes: 256 * MIB,
  commandsAtOnce: 4,
  commandGraceMs: 3_000,
  updatesPerSecond: 30,
  updateBytes: 64 * KIB,
  pageMessageBytes: MIB,
  markdownBytes: 256 * KIB,
  highlightBytes: 64 * KIB,
  mcpServers: 50,
  mcpToolsPerServer: 1_000,
  mcpListPages: 200,
  mcpDescriptionBytes: 2 * KIB,
  mcpSchemaBytes: 32 * KIB,
  mcpSchemaDepth: 16,
  mcpStartTimeoutMs: 30_000,
  mcpFirstStartTimeoutMs: 600_000,
  mcpCallTimeoutMs: 60_000,
  mcpFrameBytes: 4 * MIB,
  mcpStderrBytes: 64 * KIB,
  mcpResultTextBytes: 256 * KIB,
  mcpResultImageBytes: 5 * MIB,
  mcpRestarts: 3,
  mcpRestartWindowMs: 300_000,
  modelConnectTimeoutMs: 30_000,
  modelFirstEventTimeoutMs: 120_000,
  modelIdleTimeoutMs: 90_000,
  modelTotalTimeoutMs: 1_800_000,
  modelEventBytes: 4 * MIB,
  modelReplyBytes: 8 * MIB,
  toolArgumentsBytes: MIB,
  toolArgumentsDepth: 32,
  retryTries: 5,
  retryFirstDelayMs: 1_000,
  retryDelayFactor: 2,
  retryDelayMostMs: 60_000,
  retryAfterMostMs: 120_000,
  retryTotalMs: 600_000,
  agentTurns: 50,
  agentIdenticalCalls: 3,
  agentErrorsInARow: 10,
  sessionRecordBytes: MIB,
  sessionSegmentBytes: 64 * MIB,
  instructionFileBytes: 32 * KIB,
  instructionsBytes: 64 * KIB,
  mcpConfigBytes: 256 * KIB,
  fetchBytes: 2 * MIB,
  fetchRedirects: 5,
  fetchTimeoutMs: 20_000,
  imageBytes: 5 * MIB,
  imagePixels: 8_000,
  regexInputBytes: 64 * KIB,
  gatewayRequestBytes: 32 * MIB,
  gatewayRequestsAtOnce: 8,
};

/** Folders whose code takes its limits from the table. */
const KEEPING = ['policy', 'tools', 'node', 'host', 'cli'];

/** Large numbers that limit nothing, or only how much work goes into a better error text. */
const NO_LIMITS: Readonly<Record<string, readonly string[]>> = {
  // Factors of units.
  'tools/text/amounts.ts': ['1000', '1024'],
  // Twice what is attached, because colour codes are removed; the main bundle does without the table.
  'host/services/attachments/terminal.ts': ['64 * 1024'],
  // How much is kept for viewing; the main bundle does without the table.
  'host/services/conversation/request-log.ts': ['32_000_000'],
  // A factor of units.
  'host/ui/lab/case-files.ts': ['1024', '1024'],
  // Kibibytes and seconds, for people.
  'host/services/mcp/find-servers.ts': ['1024'],
  'host/ui/tools/server-item.ts': ['1_000'],
  // Enough for the label of a row.
  'host/ui/lab/parse-tab.ts': ['1_000'],
  // How long an answer of a server counts; the main bundle does without the table.
  'host/services/models/model-servers.ts': ['600_000'],
  // The assumed window of a model if it is unknown; the main bundle does without the table.
  'host/services/models/published-models.ts': ['4_096', '32_768'],
  // What other programs are told of a model's window.
  'cli/clients.ts': ['32768', '8192', '32768'],
  // Ports.
  'cli/serve.ts': ['65_535', '8787'],
  'node/sandbox/site-proxy.ts': ['65_536'],
  'node/sandbox/wrap-command.ts': ['38_119'],
  // A hash.
  'tools/files/seen-files.ts': [
    '2654435761',
    '1597334677',
    '2246822507',
    '3266489909',
    '4294967296',
    '2097151',
  ],
  // How much is read at once.
  'node/files/file-lines.ts': ['256 * 1024'],
  // How much is compared at most to find unchanged lines; the rest counts as replaced.
  'tools/edit/apply-edit.ts': ['1_000_000'],
  // A run is long from this many milliseconds on, and a text gets a tooltip from this many characters on.
  'host/ui/chat/run-notice.ts': ['30_000'],
  'host/ui/tools/tool-items.ts': ['1_200'],
  // The file mode of a submodule.
  'node/git/git-look.ts': ['160000'],
  // The number of a standard.
  'policy/commands/tables/system.ts': ['8601', '8601'],
  // How many words all commands of one text may have.
  'policy/commands/denied.ts': ['10_000'],
  // Recently looked-up names.
  'policy/paths/place-table.ts': ['1_000'],
  // Microseconds of a millisecond.
  'node/shell-grammar.ts': ['1_000'],
  // How many entries are read at once.
  'node/files/path-file-system.ts': ['1_024'],
  // Where memory that grows begins.
  'node/processes/output-ring.ts': ['4096'],
  // How much may wait for the disk before the writer has to wait.
  'node/processes/command-log.ts': ['1024 * 1024'],
  // Only looked through for the names of settings, for a notice.
  'host/platform/settings.ts': ['1024 * 1024'],
  // The window that a found Ollama is asked for.
  'host/ui/models/add-model/draft.ts': ['32_768'],
  // Estimated tokens and characters, from which minutes are told; a minute in milliseconds.
  'host/ui/models/add-model/try-step.ts': ['20_000', '3_600', '54_000', '6_400'],
  'host/services/doctor/doctor-run.ts': ['60_000'],
  // Above these the counts of lines are left out; the main bundle does without the table.
  'tools/files/line-counts.ts': ['512 * 1024', '2_000'],
  // Room for the list of all processes.
  'node/processes/windows-processes.ts': ['4 * 1024'],
  // How much a commit message is written from, and the window of a model that says none.
  'host/services/git/changes.ts': ['256 * 1024'],
  'host/services/git/commit-message.ts': ['8_192'],
  // The name of a family of encodings.
  'node/files/guess-encoding.ts': ['8859'],
  // Windows takes no longer command line.
  'node/search/second-look.ts': ['24_000'],
  // From here on a report says "more than".
  'tools/edit/line-changes.ts': ['1000'],
  'tools/edit/edit-matching.ts': ['20_000'],
};

/** Limits of folders that may not import the policy: their text, in the unit of the table. */
const COPIES: readonly {
  readonly file: string;
  readonly constant: string;
  readonly limit: keyof typeof limits;
  readonly factor: number;
}[] = [
  { file: 'models/exchange/timeouts.ts', constant: 'CONNECT', limit: 'modelConnectTimeoutMs', factor: 1000 },
  {
    file: 'models/exchange/timeouts.ts',
    constant: 'FIRST_EVENT',
    limit: 'modelFirstEventTimeoutMs',
    factor: 1000,
  },
  { file: 'models/exchange/timeouts.ts', constant: 'IDLE', limit: 'modelIdleTimeoutMs', factor: 1000 },
  { file: 'models/exchange/timeouts.ts', constant: 'TOTAL', limit: 'modelTotalTimeoutMs', factor: 1000 },
  { file: 'models/bounded.ts', constant: 'EVENT', limit: 'modelEventBytes', factor: MIB },
  { file: 'models/bounded.ts', constant: 'REPLY', limit: 'modelReplyBytes', factor: MIB },
  { file: 'models/bounded.ts', constant: 'ARGUMENTS', limit: 'toolArgumentsBytes', factor: MIB },
  { file: 'models/bounded.ts', constant: 'ARGUMENTS_DEPTH', limit: 'toolArgumentsDepth', factor: 1 },
  { file: 'core/run/budget.ts', constant: 'IDENTICAL_CALLS', limit: 'agentIdenticalCalls', factor: 1 },
  { file: 'core/run/budget.ts', constant: 'FAILED_CALLS', limit: 'agentErrorsInARow', factor: 1 },
  { file: 'models/retrying.ts', constant: 'TRIES', limit: 'retryTries', factor: 1 },
  { file: 'models/retrying.ts', constant: 'FIRST_DELAY', limit: 'retryFirstDelayMs', factor: 1000 },
  { file: 'models/retrying.ts', constant: 'DELAY_FACTOR', limit: 'retryDelayFactor', factor: 1 },
  { file: 'models/retrying.ts', constant: 'DELAY_MOST', limit: 'retryDelayMostMs', factor: 1000 },
  { file: 'models/retrying.ts', constant: 'RETRY_AFTER_MOST', limit: 'retryAfterMostMs', factor: 1000 },
  { file: 'models/retrying.ts', constant: 'TOTAL', limit: 'retryTotalMs', factor: 1000 },
];

describe('limits', () => {
  it('G35.limits are whole numbers above zero', () => {
    for (const [name, value] of Object.entries(limits)) assert.ok(Number.isInteger(value) && value > 0, name);
  });

  it('G35.limits match the threat model', () => {
    for (const [name, value] of Object.entries(promised)) {
      assert.equal(new Map<string, number>(Object.entries(limits)).get(name), value, name);
    }
  });

  it('G13: leave a command that is ended less than 5 s', () => {
    assert.ok(limits.commandGraceMs + limits.commandKilledMs < 5_000);
  });

  it('G35.limits are in the table and nowhere else', () => {
    const found = KEEPING.flatMap(sourceFiles)
      .filter((file) => file !== 'base/limits.ts')
      .flatMap((file) =>
        largeNumbers(read(file))
          .filter((number) => NO_LIMITS[file]?.includes(number) !== true)
          .map((number) => `${file} has ${number}: put it into src/base/limits.ts, or say here what it is`),
      );
    assert.deepEqual(found, []);
  });

  it('G35.limits of folders that may not import the table agree with it', () => {
    for (const { file, constant, limit, factor } of COPIES) {
      const value = new RegExp(`^const ${constant} = ([\\d_]+);`, 'm').exec(read(file))?.[1];
      assert.equal(Number(value?.replaceAll('_', '')) * factor, limits[limit], `${constant} in ${file}`);
    }
  });
});

/** From 1,000 on, and products with 1024. A thousand milliseconds to the second is a unit. */
function largeNumbers(source: string): readonly string[] {
  const code = source
    .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/\/ 1000\b|\* 1000\b|\b1000 \//g, '');
  return code.match(/\b(?:\d+ \* )+1024\b|\b\d[\d_]{3,}\b/g) ?? [];
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(path.resolve('src', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}

function read(file: string): string {
  return readFileSync(path.resolve('src', file), 'utf8');
}
