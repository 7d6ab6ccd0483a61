import fc from 'fast-check';

const PROGRAMS = (
  'ls cat rg grep find sed sort uniq git npm npx yarn pnpm uv poetry python node make just cargo go mvn gradle dotnet tar ' +
  'cp mv rm tee curl wget jq ps env sudo xargs timeout nice watch bash ./run.sh echo'
).split(' ');
const WORDS = [
  ...'-x --all -la --out=x src src/a.ts ../x .env http://../.env https://example.com/a?b=c a=b=c=d @x :(top) -m'.split(
    ' ',
  ),
  ...'run test exec -- -e -c --a --b --import=data:x -j 8 deploy s* s*a*b src/*.ts */x .?/x PATH=docs HEAD~1:x -n'.split(
    ' ',
  ),
  ...['"a b"', "'c; d'", "'s/a/b/g'", '"x\\"y"', '2>&1', '>/dev/null', '>x', '$x', '$(id)', '`id`', '{a,b}'],
];
const JOINTS = [' && ', ' || ', ' | ', '; ', '\n', ' & ', ' '];

/** Commands as a model may write them, up to the judged length: words, and repetitions of a few words. */
export const arbitraryCommand: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: simpleCommands(1, 8, 1, 12) },
  { weight: 1, arbitrary: simpleCommands(1, 40, 1, 30) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...PROGRAMS),
        fc.array(fc.constantFrom(...PROGRAMS, ...WORDS), { minLength: 1, maxLength: 4 }),
        fc.nat(1_000),
      )
      .map(([program, words, times]) => cut(`${program} ${`${words.join(' ')} `.repeat(times)}`)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...PROGRAMS),
        fc.constantFrom(...Array.from('abs*?[]=:,@-./~ \'"\\')),
        fc.constantFrom(...Array.from('abs*?[]=:,@-./~')),
        fc.nat(2_000),
      )
      .map(([program, one, other, times]) => cut(`${program} s${(one + other).repeat(times)}`)),
  },
);

const LONGEST = 4_096;

function simpleCommands(
  fewest: number,
  most: number,
  fewestWords: number,
  mostWords: number,
): fc.Arbitrary<string> {
  const one = fc
    .tuple(
      fc.constantFrom(...PROGRAMS),
      fc.array(fc.constantFrom(...WORDS, ...PROGRAMS), { minLength: fewestWords, maxLength: mostWords }),
    )
    .map(([program, words]) => [program, ...words].join(' '));
  return fc
    .array(fc.tuple(one, fc.constantFrom(...JOINTS)), { minLength: fewest, maxLength: most })
    .map((parts) => cut(parts.flat().slice(0, -1).join('')));
}

function cut(text: string): string {
  return text.slice(0, LONGEST);
}
