import assert from 'node:assert/strict';
import { timeoutOfSection } from '../../../../src/doctor/jobs';
import { edited, file, fromDoctor, type Job } from '../job';

const workerFiles = timeoutOfSection.files;

const uploadFiles = {
  'package.json': file`
    {
      "name": "photo-drop",
      "version": "0.9.0",
      "type": "commonjs"
    }
  `,
  'src/limits.ts': file`
    /** Sizes in megabytes. */
    export const limits = {
      maxUploadSize: 20,
      maxAlbumSize: 500,
      maxFiles: 40,
      previewWidth: 640,
    };
  `,
  'src/upload.ts': file`
    import { limits } from './limits';

    const MEGABYTE = 1024 * 1024;

    export function refuseUpload(bytes: number): string | undefined {
      if (bytes > limits.maxUploadSize * MEGABYTE) {
        return 'The file is larger than ' + limits.maxUploadSize + ' MB.';
      }
      return undefined;
    }
  `,
  'src/album.ts': file`
    import { limits } from './limits';

    export function isFull(files: readonly { readonly size: number }[]): boolean {
      const size = files.reduce((sum, file) => sum + file.size, 0);
      return files.length >= limits.maxFiles || size >= limits.maxAlbumSize;
    }
  `,
};

const loggingFiles = {
  'app/__init__.py': '',
  'app/settings.py': file`
    NAME = "tram-times"
    PORT = 8123
    LOG_LEVEL = "warning"
    LOG_FILE = "var/tram.log"
    MAIL_LEVEL = "error"
  `,
  'app/log.py': file`
    import logging

    from app import settings


    def setup():
        logging.basicConfig(level=settings.LOG_LEVEL.upper(), filename=settings.LOG_FILE)
        return logging.getLogger(settings.NAME)
  `,
  'app/main.py': file`
    from app.log import setup


    def main():
        setup().info("started")
  `,
};

const settingsOf =
  'import json; from app import settings as s; print(json.dumps({k: v for k, v in vars(s).items() if k.isupper()}))';

export const changeValue: readonly Job[] = [
  fromDoctor(timeoutOfSection, {
    kind: 'change-value',
    right: [
      {
        files: edited(workerFiles, 'conf/worker.ini', ['timeout = 30\nkeep', 'timeout = 45\nkeep']),
        answer: 'Done.',
      },
      {
        files: edited(workerFiles, 'conf/worker.ini', ['timeout = 30\nkeep', 'timeout=45\nkeep']),
        answer: '',
      },
    ],
    wrong: [
      { files: edited(workerFiles, 'conf/worker.ini', ['timeout = 30', 'timeout = 45']), answer: 'Done.' },
      {
        files: edited(workerFiles, 'conf/worker.ini', ['timeout = 30\nretries', 'timeout = 45\nretries']),
        answer: 'The timeout is 45 seconds now.',
      },
    ],
  }),
  {
    name: 'upload-limit',
    kind: 'change-value',
    files: uploadFiles,
    task: 'Users shall be able to upload files of up to 64 MB. Change the limit in the code.',
    check(folder) {
      folder.changedOnly('src/limits.ts');
      const limits = { maxUploadSize: 64, maxAlbumSize: 500, maxFiles: 40, previewWidth: 640 };
      assert.deepEqual(folder.value('require("./src/limits").limits'), limits);
    },
    right: [
      {
        files: edited(uploadFiles, 'src/limits.ts', ['maxUploadSize: 20', 'maxUploadSize: 64']),
        answer: 'Done.',
      },
    ],
    wrong: [
      { files: edited(uploadFiles, 'src/limits.ts', ['maxFiles: 40', 'maxFiles: 64']), answer: 'Done.' },
      {
        files: edited(uploadFiles, 'src/upload.ts', ['limits.maxUploadSize', '64']),
        answer: 'The limit is 64 MB now.',
      },
    ],
  },
  {
    name: 'log-level',
    kind: 'change-value',
    files: loggingFiles,
    task: '把日志文件的级别(log level)改成 debug,其他设置不要动。',
    check(folder) {
      folder.changedOnly('app/settings.py');
      assert.deepEqual(JSON.parse(folder.python(settingsOf).toLowerCase()), {
        ...{ name: 'tram-times', port: 8123, log_level: 'debug' },
        ...{ log_file: 'var/tram.log', mail_level: 'error' },
      });
    },
    right: [
      { files: edited(loggingFiles, 'app/settings.py', ['"warning"', '"debug"']), answer: '已修改。' },
      { files: edited(loggingFiles, 'app/settings.py', ['"warning"', "'DEBUG'"]), answer: '好了' },
    ],
    wrong: [
      { files: edited(loggingFiles, 'app/settings.py', ['"error"', '"debug"']), answer: '已修改。' },
      {
        files: edited(loggingFiles, 'app/settings.py', ['LOG_LEVEL = "warning"', 'LOG_LEVEL = debug']),
        answer: '已修改。',
      },
    ],
  },
];
