import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const ignoreFiles = {
  '.gitignore': file`
    node_modules/
    dist/
    *.log
    .env
  `,
  'package.json': file`
    {
      "name": "seat-map",
      "version": "0.4.0",
      "scripts": { "test": "node --experimental-test-coverage --test", "build": "node build.js" }
    }
  `,
  'build.js': file`
    const { mkdirSync, writeFileSync } = require('node:fs');

    mkdirSync('dist', { recursive: true });
    writeFileSync('dist/seats.json', JSON.stringify(require('./seats')));
  `,
  'seats.js': file`
    module.exports = ['A1', 'A2', 'B1'];
  `,
};

const stationFiles = {
  'data/stations.csv': file`
    id,name,capacity
    1012,Mill Bridge,24
    1019,Old Market,30
    1027,Park Gate,12
    1040,Harbor West,18
  `,
  'data/bikes.csv': file`
    id,station
    77,1012
    78,1040
  `,
  'load.py': file`
    import csv


    def stations():
        with open("data/stations.csv", newline="") as file:
            return list(csv.DictReader(file))
  `,
};

export const append: readonly Job[] = [
  {
    name: 'ignore-coverage',
    kind: 'append',
    files: ignoreFiles,
    task: 'Git shall also ignore the folder coverage. Add it to .gitignore.',
    check(folder) {
      folder.changedOnly('.gitignore');
      const added = folder.lines('.gitignore').filter((line) => !line.startsWith('#'));
      const old = ['node_modules/', 'dist/', '*.log', '.env'];
      assert.deepEqual(
        added.filter((line) => old.includes(line)),
        old,
      );
      const others = added.filter((line) => !old.includes(line));
      assert.equal(others.length, 1);
      assert.match(others[0] ?? '', /^\/?coverage(\/\**)?$/);
    },
    right: [
      { files: edited(ignoreFiles, '.gitignore', ['.env\n', '.env\ncoverage/\n']), answer: 'Done.' },
      { files: edited(ignoreFiles, '.gitignore', ['dist/\n', 'dist/\n/coverage\n']), answer: 'Done.' },
    ],
    wrong: [
      { files: { '.gitignore': 'coverage/\n' }, answer: 'Added coverage to .gitignore.' },
      { files: edited(ignoreFiles, '.gitignore', ['.env\n', '.envcoverage/\n']), answer: 'Done.' },
      { files: edited(ignoreFiles, '.gitignore', ['.env\n', '.env\n*.coverage\n']), answer: 'Done.' },
    ],
  },
  {
    name: 'new-station',
    kind: 'append',
    files: stationFiles,
    task: '在 data/stations.csv 末尾添加一个站点:编号 1043,名称 Harbor East,容量 22。',
    check(folder) {
      folder.changedOnly('data/stations.csv');
      const rows = folder.lines('data/stations.csv').map((line) => line.replaceAll('"', '').split(/\s*,\s*/));
      assert.deepEqual(rows, [
        ['id', 'name', 'capacity'],
        ['1012', 'Mill Bridge', '24'],
        ['1019', 'Old Market', '30'],
        ['1027', 'Park Gate', '12'],
        ['1040', 'Harbor West', '18'],
        ['1043', 'Harbor East', '22'],
      ]);
    },
    right: [
      {
        files: edited(stationFiles, 'data/stations.csv', ['West,18\n', 'West,18\n1043,Harbor East,22']),
        answer: '已添加。',
      },
      {
        files: edited(stationFiles, 'data/stations.csv', ['West,18\n', 'West,18\n1043,"Harbor East",22\n']),
        answer: '',
      },
    ],
    wrong: [
      {
        files: edited(stationFiles, 'data/stations.csv', ['1040,Harbor West,18', '1043,Harbor East,22']),
        answer: '已添加。',
      },
      {
        files: edited(stationFiles, 'data/stations.csv', ['West,18\n', 'West,18\n1043,22,Harbor East\n']),
        answer: '已添加。',
      },
    ],
  },
];
