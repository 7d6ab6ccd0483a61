import { says } from '../job-folder';
import { countResults } from '../../../../src/doctor/jobs';
import { file, fromDoctor, type Job } from '../job';

export const runAndReport: readonly Job[] = [
  {
    name: 'checksum',
    kind: 'run-and-report',
    files: {
      'README.md': file`
        # Orders

        Before an export the checksum of the orders is compared with that of the bank.
      `,
      'data/orders.txt': file`
        2291 Weber 118.40
        2292 Okafor 37.05
        2293 Lindqvist 902.00
        2294 Marchetti 6.95
      `,
      'tools/checksum.py': file`
        import sys
        import zlib


        def checksum(path):
            with open(path, "rb") as file:
                return zlib.crc32(file.read()) % 1_000_000


        if __name__ == "__main__":
            print(f"checksum {checksum(sys.argv[1]):06d}")
      `,
    },
    task: 'Run `python3 tools/checksum.py data/orders.txt` and tell me the checksum that it prints.',
    commands: ['python3 tools/checksum.py data/orders.txt'],
    check(folder, answer) {
      folder.changedOnly();
      says(answer, ['351216']);
    },
    right: [{ answer: '351216' }, { answer: 'It prints `checksum 351216`.' }],
    wrong: [{ answer: 'The checksum is 123456.' }, { answer: 'checksum 000000' }],
  },
  fromDoctor(countResults, {
    kind: 'run-and-report',
    right: [{ answer: '9 passed, 14 failed' }, { answer: '**14** of the tests failed, **9** passed.' }],
    wrong: [
      { answer: 'All tests passed.' },
      { answer: '23 passed, 0 failed' },
      { answer: '14 tests passed and 9 failed.' },
      { answer: 'I will run the tests now.' },
    ],
  }),
];
