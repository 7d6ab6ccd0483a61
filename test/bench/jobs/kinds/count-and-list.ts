import { says } from '../job-folder';
import { file, type Job } from '../job';

export const countAndList: readonly Job[] = [
  {
    name: 'variables-of-code',
    kind: 'count-and-list',
    files: {
      '.env.example': file`
        DB_URL=postgres://127.0.0.1/parcels
        MAIL_HOST=127.0.0.1
        PARCEL_KEY=
        SENTRY_URL=
        TRACK_LIMIT=50
        WEB_PORT=4300
      `,
      'src/db.js': file`
        const { Client } = require('./client');

        exports.open = () => new Client(process.env.DB_URL, { retries: 2 });
      `,
      'src/client.js': file`
        exports.Client = class {
          constructor(url, options) {
            this.url = url;
            this.options = options;
          }
        };
      `,
      'src/track.js': file`
        const limit = Number(process.env.TRACK_LIMIT || 20);

        exports.track = (parcels) => parcels.slice(0, limit);
      `,
      'src/server.js': file`
        const { open } = require('./db');
        const { track } = require('./track');

        exports.start = (http) => {
          const database = open();
          http.listen(process.env.WEB_PORT, () => track(database.parcels));
        };
      `,
      'src/sign.js': file`
        const { createHmac } = require('node:crypto');

        exports.sign = (text) => createHmac('sha256', process.env.PARCEL_KEY).update(text).digest('hex');
      `,
    },
    task: 'Which environment variables does the code in src read? List their names and nothing else.',
    check(folder, answer) {
      folder.changedOnly();
      says(
        answer,
        ['DB_URL', 'TRACK_LIMIT', 'WEB_PORT', 'PARCEL_KEY'],
        ['MAIL_HOST', 'SENTRY_URL', 'NODE_ENV', 'PORT'],
      );
    },
    right: [
      { answer: 'DB_URL, TRACK_LIMIT, WEB_PORT, PARCEL_KEY' },
      { answer: '- `PARCEL_KEY`\n- `process.env.DB_URL`\n- `TRACK_LIMIT`\n- `WEB_PORT`\n' },
    ],
    wrong: [
      { answer: 'DB_URL, MAIL_HOST, PARCEL_KEY, SENTRY_URL, TRACK_LIMIT, WEB_PORT' },
      { answer: 'DB_URL, TRACK_LIMIT, WEB_PORT' },
      { answer: 'PORT, NODE_ENV, DB_URL' },
    ],
  },
  {
    name: 'open-orders',
    kind: 'count-and-list',
    files: {
      'orders/north.csv': file`
        order,customer,status
        501,Aalto,open
        502,Berg,paid
        503,Caron,open
        504,Dietz,sent
        505,Ekholm,open
        506,Falk,open
      `,
      'orders/south.csv': file`
        order,customer,status
        611,Garcia,sent
        612,Haddad,open
        613,Ito,open
        614,Jansen,paid
        615,Kowal,open
        616,Lopez,open
        617,Moreau,open
      `,
      'orders/west.csv': file`
        order,customer,status
        720,Nagy,paid
        721,Okoye,open
        722,Popov,open
        723,Quist,sent
        724,Rossi,open
        725,Sato,open
      `,
      'README.md': file`
        # Orders

        One file for each region. The status is open, paid or sent.
      `,
    },
    task: 'orders 文件夹里的三个 csv 文件中,状态(status)为 open 的订单一共有多少个?只回答数字。',
    check(folder, answer) {
      folder.changedOnly();
      says(answer, [/(?<!\d)13(?!\d)/]);
      // An answer that tries several numbers is a guess.
      says(answer, [], ['10', '11', '12', '14', '15', '16', '19']);
    },
    right: [{ answer: '13' }, { answer: '一共有 13 个状态为 open 的订单。' }],
    wrong: [{ answer: '3' }, { answer: '12' }, { answer: '12 或 13' }, { answer: '113' }],
  },
];
