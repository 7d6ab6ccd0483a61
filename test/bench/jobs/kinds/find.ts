import { says } from '../job-folder';
import { file, type Job } from '../job';

export const find: readonly Job[] = [
  {
    name: 'where-defined',
    kind: 'find',
    files: {
      'src/index.js': file`
        const { normalizeTags } = require('./text/tidy');
        const { saveNote } = require('./store/notes');

        exports.addNote = (title, tags) => saveNote({ title, tags: normalizeTags(tags) });
      `,
      'src/store/notes.js': file`
        const notes = [];

        exports.saveNote = (note) => {
          notes.push({ id: notes.length + 1, ...note });
          return notes[notes.length - 1];
        };
      `,
      'src/store/import.js': file`
        const { normalizeTags } = require('../text/tidy');
        const { saveNote } = require('./notes');

        exports.importAll = (rows) =>
          rows.map(([title, tags]) => saveNote({ title, tags: normalizeTags(tags.split(' ')) }));
      `,
      'src/text/tidy.js': file`
        exports.normalizeTags = require('./labels').normalizeTags;
        exports.oneLine = (text) => text.replace(/\s+/g, ' ').trim();
      `,
      'src/text/labels.js': file`
        function normalizeTags(tags) {
          const tidy = tags.map((tag) => tag.trim().toLowerCase());
          return [...new Set(tidy)].sort();
        }

        function labelColor(tag) {
          return ['teal', 'plum', 'sand'][tag.length % 3];
        }

        module.exports = { normalizeTags, labelColor };
      `,
    },
    task: 'In which file is the body of the function `normalizeTags`? Answer with the path of that file only.',
    check(folder, answer) {
      says(answer, ['text/labels.js'], ['tidy.js', 'index.js', 'notes.js', 'import.js']);
      folder.changedOnly();
    },
    right: [{ answer: 'src/text/labels.js' }, { answer: 'It is in `./src/text/labels.js`.' }],
    wrong: [
      { answer: 'src/index.js' },
      { answer: 'src/text/tidy.js' },
      { answer: 'src/text/tidy.js, src/text/labels.js' },
      { answer: 'src/normalizeTags.js' },
    ],
  },
  {
    name: 'who-raises',
    kind: 'find',
    files: {
      'README.md': file`
        # Locker

        Keeps files of several users, each with a quota.
      `,
      'locker/errors.py': file`
        class LockerError(Exception):
            pass


        class QuotaExceeded(LockerError):
            pass


        class NotFound(LockerError):
            pass
      `,
      'locker/storage.py': file`
        from locker.errors import NotFound, QuotaExceeded

        sizes = {}
        QUOTA = 5_000_000


        def used(user):
            return sum(sizes.get(user, {}).values())


        def claim_room(user, amount):
            if used(user) + amount > QUOTA:
                raise QuotaExceeded(user)


        def put(user, name, data):
            claim_room(user, len(data))
            sizes.setdefault(user, {})[name] = len(data)


        def drop(user, name):
            if name not in sizes.get(user, {}):
                raise NotFound(name)
            del sizes[user][name]
      `,
      'locker/web.py': file`
        from locker import storage
        from locker.errors import NotFound, QuotaExceeded


        def handle_upload(user, name, data):
            try:
                storage.put(user, name, data)
            except QuotaExceeded:
                return 507
            return 201


        def handle_delete(user, name):
            try:
                storage.drop(user, name)
            except NotFound:
                return 404
            return 204
      `,
    },
    task: 'Which function raises QuotaExceeded? Answer with the name of the function.',
    check(folder, answer) {
      says(answer, ['claim_room'], ['put', 'used', 'drop', 'handle_upload', 'handle_delete']);
      folder.changedOnly();
    },
    right: [{ answer: 'claim_room' }, { answer: '`claim_room()` in locker/storage.py raises it.' }],
    wrong: [{ answer: 'handle_upload' }, { answer: 'check_quota' }, { answer: 'put and claim_room' }],
  },
];
