import assert from 'node:assert/strict';
import { cpuMs } from '../../../../support/measure/cpu-time';
import { isAnnouncement } from '../../../../../src/core/run/checks/announcement';

const ANNOUNCED: readonly string[] = [
  'I will now read the file.',
  "I'll read `src/a.ts` next.",
  'Found it in config.ts. Let me check the tests',
  'Let me look at the other file:',
  'Okay, now I need to run the tests…',
  'Great! Next, I will update the import.',
  '**Next step**\n\nI am going to create the file.',
  "First, let's search for the function.",
  'Now let me also open package.json.',
  'The test fails. Now running it again.\nChecking the log now. I’ll start by opening the log file.',
  '接下来我将读取 config.ts 文件。',
  '好的，让我查看一下这个文件：',
  '我现在来运行测试。',
  '已经找到函数。下面修改它的参数。',
  '我来帮您检查这个文件',
  '現在我將讀取檔案。',
  'Ich werde jetzt die Datei lesen.',
  'Als Nächstes prüfe ich die Tests.',
  'Je vais maintenant lire le fichier.',
  'Voy a revisar el archivo.',
  'Agora vou abrir o arquivo.',
  'Ora leggo il file.',
  'Сейчас я прочитаю файл.',
  '次に、config.ts を確認します。',
  'ファイルを確認してみます。',
  '이제 파일을 확인하겠습니다.',
];

const ANSWERS: readonly string[] = [
  '',
  'Done.',
  'The file has three lines.',
  'I have updated the import and the tests pass.',
  'I will remember that.',
  "I'll be happy to help.",
  'Should I read the file now?',
  'I can read the file if you want.',
  'If you like, I will update the tests.',
  'Let me know which file to open.',
  'Please wait, I will read it once you confirm.',
  'I will run the tests after you approve the change.',
  'Let me summarize: the file is empty.',
  'Let me check: the file has 3 lines.',
  'I will read the file. It says `hello`.',
  'From now on I will use tabs.',
  'I will use:\n\n```ts\nconst a = 1;\n```',
  'First, the function reads the file. Then it checks the header.',
  'Now the tests pass and the build is green.',
  'Next time I will check the tests first.',
  'You will see the result in the log.',
  '我已经修改了文件，测试通过。',
  '需要我运行测试吗？',
  '如果您愿意，我可以检查其他文件。',
  '请确认后我再修改文件。',
  '这个函数会读取文件并检查内容。',
  '我建议您使用 TypeScript。',
  'この関数はファイルを確認します。',
  '他のファイルも確認しますか？',
  'Soll ich die Datei lesen?',
  'Ich habe die Datei gelesen.',
  'Die Tests laufen jetzt.',
  'J’ai modifié le fichier.',
  'He revisado el archivo.',
  'Я изменил файл.',
  '파일을 수정했습니다.',
];

describe('an announcement', () => {
  for (const text of ANNOUNCED) {
    it(`is: ${text}`, () => assert.equal(isAnnouncement(text), true));
  }

  for (const text of ANSWERS) {
    it(`is not: ${text}`, () => assert.equal(isAnnouncement(text), false));
  }

  it('is searched for in bounded time', () => {
    const took = cpuMs(() => {
      for (const piece of ['I will ', 'now, ', 'a', '我', '确认', '. ', 'ich '])
        isAnnouncement(piece.repeat(200_000));
    });
    assert.ok(took < 1_000, `${took} ms`);
  });
});
