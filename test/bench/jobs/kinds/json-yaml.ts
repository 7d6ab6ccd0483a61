import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const packageFiles = {
  'package.json': file`
    {
      "name": "tide-table",
      "version": "3.1.0",
      "private": true,
      "scripts": {
        "start": "node src/server.js",
        "test": "node --test"
      },
      "dependencies": {
        "express": "^4.19.2"
      },
      "devDependencies": {
        "eslint": "^9.9.0"
      }
    }
  `,
  'src/server.js': file`
    const express = require('express');
    const { tides } = require('./tides');

    const app = express();
    app.get('/tides', (request, response) => response.json(tides(request.query.day)));
    app.listen(4100);
  `,
  'src/tides.js': file`
    exports.tides = (day) => (day === 'today' ? ['03:12', '15:40'] : []);
  `,
  'eslint.config.js': file`
    module.exports = [{ rules: { 'no-unused-vars': 'error' } }];
  `,
};

const composeFiles = {
  'deploy/compose.yaml': file`
    # Started by deploy/up.sh.
    services:
      web:
        image: tickets/web:1.8
        ports:
          - "8080:80"
        environment:
          LOG_LEVEL: info
          BASE_PATH: /tickets
      worker:
        image: tickets/worker:1.8
        environment:
          LOG_LEVEL: info
          CONCURRENCY: 2
      db:
        image: postgres:16
        volumes:
          - data:/var/lib/postgresql/data
    volumes:
      data: {}
  `,
  'deploy/up.sh': file`
    #!/bin/sh
    docker compose -f deploy/compose.yaml up -d
  `,
  'README.md': file`
    # Tickets

    The worker reads CONCURRENCY and LOG_FORMAT from its environment.
  `,
};

const packageJson = {
  name: 'tide-table',
  version: '3.1.0',
  private: true,
  scripts: { start: 'node src/server.js', test: 'node --test', lint: 'eslint src' },
  dependencies: { express: '^4.19.2' },
  devDependencies: { eslint: '^9.9.0' },
};

const compose = {
  services: {
    web: {
      image: 'tickets/web:1.8',
      ports: ['8080:80'],
      environment: { LOG_LEVEL: 'info', BASE_PATH: '/tickets' },
    },
    worker: {
      image: 'tickets/worker:1.8',
      environment: { LOG_LEVEL: 'info', CONCURRENCY: 2, LOG_FORMAT: 'json' },
    },
    db: { image: 'postgres:16', volumes: ['data:/var/lib/postgresql/data'] },
  },
  volumes: { data: {} },
};

export const jsonYaml: readonly Job[] = [
  {
    name: 'lint-script',
    kind: 'json-yaml',
    files: packageFiles,
    task: 'Add a script named lint to package.json. It runs eslint on the folder src.',
    check(folder) {
      folder.changedOnly('package.json');
      const text = folder.text('package.json').replace(/"(?:npx )?eslint (?:\.\/)?src\/?"/, '"eslint src"');
      assert.deepEqual(JSON.parse(text), packageJson);
    },
    right: [
      {
        files: edited(packageFiles, 'package.json', [
          '"node --test"',
          '"node --test",\n    "lint": "eslint src"',
        ]),
        answer: 'Added.',
      },
      {
        files: edited(packageFiles, 'package.json', ['"start"', '"lint": "eslint ./src/", "start"']),
        answer: 'Added.',
      },
      { files: { 'package.json': JSON.stringify(packageJson) }, answer: '' },
    ],
    wrong: [
      {
        files: edited(packageFiles, 'package.json', [
          '"node --test"',
          '"node --test"\n    "lint": "eslint src"',
        ]),
        answer: 'Added.',
      },
      {
        files: edited(packageFiles, 'package.json', ['"test": "node --test"', '"lint": "eslint src"']),
        answer: 'Added.',
      },
      {
        files: edited(packageFiles, 'package.json', [
          '"private": true,',
          '"private": true,\n  "lint": "eslint src",',
        ]),
        answer: 'Added.',
      },
    ],
  },
  {
    name: 'worker-environment',
    kind: 'json-yaml',
    files: composeFiles,
    task: 'In deploy/compose.yaml give the worker the environment variable LOG_FORMAT with the value json.',
    check(folder) {
      folder.changedOnly('deploy/compose.yaml');
      assert.deepEqual(folder.yaml('deploy/compose.yaml'), compose);
    },
    right: [
      {
        files: edited(composeFiles, 'deploy/compose.yaml', [
          'CONCURRENCY: 2\n',
          'CONCURRENCY: 2\n      LOG_FORMAT: json\n',
        ]),
        answer: 'Done.',
      },
      {
        files: edited(composeFiles, 'deploy/compose.yaml', [
          'CONCURRENCY: 2\n',
          'CONCURRENCY: 2\n      LOG_FORMAT: "json"   # for the collector\n',
        ]),
        answer: 'Done.',
      },
    ],
    wrong: [
      {
        files: edited(composeFiles, 'deploy/compose.yaml', [
          'CONCURRENCY: 2\n',
          'CONCURRENCY: 2\n    LOG_FORMAT: json\n',
        ]),
        answer: 'Done.',
      },
      {
        files: edited(composeFiles, 'deploy/compose.yaml', [
          'LOG_LEVEL: info\n',
          'LOG_LEVEL: info\n      LOG_FORMAT: json\n',
        ]),
        answer: 'Done.',
      },
      {
        files: edited(composeFiles, 'deploy/compose.yaml', [
          'BASE_PATH: /tickets\n',
          'BASE_PATH: /tickets\n      LOG_FORMAT: json\n',
        ]),
        answer: 'Done.',
      },
    ],
  },
];
