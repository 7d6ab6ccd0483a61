import { says } from '../job-folder';
import { file, type Job } from '../job';

export const answerFromFile: readonly Job[] = [
  {
    name: 'queue-in-production',
    kind: 'answer-from-file',
    files: {
      'README.md': file`
        # Mail worker

        Takes letters from a queue and sends them. The settings are in \`config\`:
        one file for each environment, and what they share in \`base.json\`.
      `,
      'package.json': file`
        {
          "name": "mail-worker",
          "version": "1.3.2",
          "main": "src/worker.js"
        }
      `,
      'config/base.json': file`
        {
          "queue": "outbox",
          "batchSize": 20,
          "sender": "post@example.com"
        }
      `,
      'config/production.json': file`
        {
          "queue": "dispatch-eu",
          "batchSize": 200
        }
      `,
      'config/staging.json': file`
        {
          "queue": "outbox-trial",
          "batchSize": 5
        }
      `,
      'src/load-config.js': file`
        const base = require('../config/base.json');

        exports.loadConfig = (environment) => ({
          ...base,
          ...require('../config/' + environment + '.json'),
        });
      `,
      'src/worker.js': file`
        const { loadConfig } = require('./load-config');

        const config = loadConfig(process.env.APP_ENV || 'staging');

        function start(queues, send) {
          const queue = queues.open(config.queue);
          queue.onBatch(config.batchSize, (letters) => letters.forEach((letter) => send(config.sender, letter)));
        }

        module.exports = { start };
      `,
    },
    task: 'Which queue does the mail worker take its letters from in production? Answer with the name of the queue.',
    check(folder, answer) {
      says(answer, ['dispatch-eu'], ['outbox', 'outbox-trial']);
      folder.changedOnly();
    },
    right: [
      { answer: 'dispatch-eu' },
      { answer: 'In production it takes them from the queue `dispatch-eu` (config/production.json).' },
    ],
    wrong: [
      { answer: 'The queue is "outbox".' },
      { answer: 'mail-queue' },
      { answer: 'The queues are outbox, dispatch-eu and outbox-trial.' },
    ],
  },
  {
    name: 'session-lifetime',
    kind: 'answer-from-file',
    files: {
      'app/__init__.py': '',
      'app/settings.py': file`
        DEBUG = False
        DATABASE = "sqlite:///var/clinic.db"

        # All times are in seconds.
        CACHE_TTL = 600
        LOGIN_TTL = 300
        SESSION_TTL = 5460
        RESET_LINK_TTL = 86400
      `,
      'app/sessions.py': file`
        import time

        from app import settings


        def is_alive(session):
            return time.time() - session.started < settings.SESSION_TTL
      `,
      'app/cache.py': file`
        from app import settings


        def headers():
            return {"Cache-Control": f"max-age={settings.CACHE_TTL}"}
      `,
    },
    task: 'app/settings.py 里设定会话(session)多少秒后过期?只回答数字。',
    check(folder, answer) {
      says(answer, [/\b5,?460\b/], ['600', '300', '86400']);
      folder.changedOnly();
    },
    right: [{ answer: '5460' }, { answer: '会话在 5,460 秒后过期。' }],
    wrong: [{ answer: '3600' }, { answer: '600' }, { answer: '600, 300, 5460, 86400' }],
  },
];
