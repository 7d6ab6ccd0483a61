import {
  file,
  isEqual,
  linesOf,
  MIXED_UP,
  notAsAsked,
  otherChange,
  wordFault,
  type FileTexts,
} from './job-files';

/** A small coding job in a folder of its own, with a check that accepts every right result. */
export interface ExamJob {
  readonly name: string;
  /** For people, in a few English words. */
  readonly title: string;
  readonly files: FileTexts;
  /** One or two sentences, as a user writes them. */
  readonly task: string;
  /** The only command lines that the task needs, word for word. */
  readonly commands?: readonly string[];
  /** What is wrong with the files or the last reply, as a short English sentence; nothing if the job is done. */
  readonly fault: (files: FileTexts, answer: string) => string | undefined;
}

const workerFiles: FileTexts = {
  'conf/worker.ini': file`
    ; Settings of the worker. Times are in seconds.
    [queue]
    name = thumbnails
    timeout = 30
    retries = 3

    [http]
    host = 127.0.0.1
    timeout = 30
    keep_alive = yes

    [log]
    level = info
  `,
  'conf/nginx.conf': file`
    server {
      listen 8080;
      proxy_read_timeout 60;
    }
  `,
  'worker.py': file`
    import configparser

    config = configparser.ConfigParser()
    config.read("conf/worker.ini")


    def timeouts():
        return {name: config.getint(name, "timeout") for name in ("queue", "http")}
  `,
};

/** A text that occurs twice is changed in the right place. */
export const timeoutOfSection: ExamJob = {
  name: 'timeout-of-section',
  title: 'changes a value',
  files: workerFiles,
  task: 'Set the timeout of the http section in conf/worker.ini to 45 seconds.',
  fault(files) {
    const settings = linesOf(files['conf/worker.ini'] ?? '').filter((line) => !/^[;#]/.test(line));
    const wanted = [
      ...['[queue]', 'name=thumbnails', 'timeout=30', 'retries=3'],
      ...['[http]', 'host=127.0.0.1', 'timeout=45', 'keep_alive=yes', '[log]', 'level=info'],
    ];
    const isRight = isEqual(
      settings.map((line) => line.replace(/\s*=\s*/, '=')),
      wanted,
    );
    if (!isRight) return notAsAsked('conf/worker.ini');
    return otherChange(workerFiles, files, ['conf/worker.ini']);
  },
};

const tillFiles: FileTexts = {
  'README.md': file`
    # Till

    Carts for the tests are in \`fixtures\`.
  `,
  'fixtures/full-cart.json': file`
    {
      "customer": "c-2041",
      "currency": "CHF",
      "items": [
        { "article": "lamp", "amount": 2, "price": 49.5 },
        { "article": "cable", "amount": 1, "price": 8 }
      ],
      "total": 107
    }
  `,
  'fixtures/customers.json': file`
    [
      { "id": "c-2041", "name": "Ines" },
      { "id": "c-3310", "name": "Rolf" }
    ]
  `,
  'till.py': file`
    import json


    def load_cart(path):
        with open(path) as file:
            return json.load(file)


    def total(cart):
        return sum(item["amount"] * item["price"] for item in cart["items"])
  `,
};

/** A new file follows one that is there. */
export const emptyCart: ExamJob = {
  name: 'empty-cart',
  title: 'creates a file',
  files: tillFiles,
  task: 'Create fixtures/empty-cart.json: a cart with the same fields as fixtures/full-cart.json for the customer c-3310, in the same currency, without any item.',
  fault(files) {
    const cart = recordIn(files['fixtures/empty-cart.json'] ?? '');
    const fields = ['currency', 'customer', 'items', 'total'];
    const isRight =
      isEqual(Object.keys(cart).toSorted(), fields) &&
      cart['customer'] === 'c-3310' &&
      cart['currency'] === 'CHF' &&
      Array.isArray(cart['items']) &&
      cart['items'].length === 0 &&
      cart['total'] === 0;
    if (!isRight) return notAsAsked('fixtures/empty-cart.json');
    return otherChange(tillFiles, files, ['fixtures/empty-cart.json']);
  },
};

const romanFiles: FileTexts = {
  'src/roman.js': file`
    const DIGITS = [[1000, 'M'], [900, 'CM'], [500, 'D'], [100, 'C'], [50, 'L'], [10, 'X'], [5, 'V'], [1, 'I']];

    exports.roman = (number) => {
      let rest = number;
      let text = '';
      for (const [value, digit] of DIGITS) {
        while (rest >= value) {
          text += digit;
          rest -= value;
        }
      }
      return text;
    };
  `,
  'test/cases.js': file`
    module.exports = [
      [1, 'I'], [4, 'IV'], [5, 'V'], [6, 'VI'], [9, 'IX'], [13, 'XIII'], [14, 'XIV'], [19, 'XIX'], [27, 'XXVII'],
      [40, 'XL'], [48, 'XLVIII'], [59, 'LIX'], [90, 'XC'], [93, 'XCIII'], [141, 'CXLI'], [163, 'CLXIII'],
      [400, 'CD'], [402, 'CDII'], [575, 'DLXXV'], [911, 'CMXI'], [1024, 'MXXIV'], [2019, 'MMXIX'], [3000, 'MMM'],
    ];
  `,
  'test/all.js': file`
    const { roman } = require('../src/roman');

    const results = require('./cases').map(([number, text]) => roman(number) === text);
    const passed = results.filter(Boolean).length;
    console.log(passed + ' passed, ' + (results.length - passed) + ' failed');
  `,
};

/** A command runs, and its output is in the answer. */
export const countResults: ExamJob = {
  name: 'count-results',
  title: 'runs a command and reports',
  files: romanFiles,
  task: 'Run the tests with `node test/all.js`. How many passed and how many failed? Change nothing.',
  commands: ['node test/all.js'],
  fault(files, answer) {
    const fault = otherChange(romanFiles, files) ?? wordFault(answer, ['9', '14']);
    if (fault !== undefined) return fault;
    const isSwapped = /\b14\D{0,15}pass|passed:\W{0,3}14/i.test(answer);
    return isSwapped ? MIXED_UP : undefined;
  },
};

/** The doctor's work exam: jobs of the benchmark. */
export const examJobs: readonly ExamJob[] = [timeoutOfSection, emptyCart, countResults];

const shopFiles: FileTexts = {
  'README.md': file`
    # Flower shop

    The settings are in \`shop.ini\`.
  `,
  'shop.ini': file`
    [server]
    port = 7318
    workers = 4

    [orders]
    limit = 25
  `,
};

/** The first steps with a new model: no command, and each the smallest job of its kind. */
export const firstSteps: readonly ExamJob[] = [
  {
    name: 'read',
    title: 'reads a file',
    files: shopFiles,
    task: 'Which port is set in shop.ini? Answer with the number.',
    fault: (files, answer) => otherChange(shopFiles, files) ?? wordFault(answer, ['7318'], ['25']),
  },
  {
    name: 'change',
    title: 'changes a line',
    files: shopFiles,
    task: 'Set the limit in shop.ini to 40.',
    fault(files) {
      const wanted = { ...shopFiles, 'shop.ini': (shopFiles['shop.ini'] ?? '').replace('25', '40') };
      const plain = (text = ''): string => text.replaceAll(/ *= */g, ' = ');
      return otherChange(wanted, { ...files, 'shop.ini': plain(files['shop.ini']) });
    },
  },
  {
    name: 'create',
    title: 'creates a file',
    files: shopFiles,
    task: 'Create notes.txt with one line: Order more tulips.',
    fault(files) {
      const isRight = isEqual(
        linesOf(files['notes.txt'] ?? '').map((line) => line.replace(/\.$/, '')),
        ['Order more tulips'],
      );
      return isRight ? otherChange(shopFiles, files, ['notes.txt']) : notAsAsked('notes.txt');
    },
  },
];

/** Empty if it is not the JSON of an object. */
function recordIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
