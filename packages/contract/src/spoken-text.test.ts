import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spokenText } from './spoken-text.ts'

function assertSpoken(cases: readonly (readonly [written: string, spoken: string])[]): void {
  for (const [written, spoken] of cases) assert.equal(spokenText(written), spoken, written)
}

test('TTS-95: marks of formatting are left out', () => {
  assertSpoken([
    ['# Hello, see **the** _link_', 'Hello, see the link'],
    ['## Today ##\nIt is *warm*, ~~cold~~ and `dry`.', 'Today.\nIt is warm, cold and dry.'],
    ['Title\n=====\ntext', 'Title.\ntext'],
    ['Buy:\n- milk\n- [x] eggs\n\n1. First\n2) Second', 'Buy:\n\nmilk.\neggs.\n1. First.\n2) Second'],
    ['| Day | Rain |\n|:---|---:|\n| Mon | 2 mm |', 'Day, Rain.\nMon, 2 mm'],
    ['```js\nconst a = 1\n```', 'const a = 1'],
    ['> quoted\n> twice\n\n---\n\nafter', 'quoted\ntwice\n\nafter'],
    [
      '**A**pplication **P**rogramming, 日本語は**重要**です。',
      'Application Programming, 日本語は重要です。',
    ],
    ['Text[^1]\n\n[^1]: a note', 'Text\n\na note'],
  ])
})

test('TTS-95: addresses are reduced to their host, and links to their text', () => {
  assertSpoken([
    ['Hello, see [the link](https://example.com/a?b=c).', 'Hello, see the link.'],
    [
      'See https://www.example.com/path/_x_?y=1#z, or <https://a.example:8080/>.',
      'See example.com, or a.example.',
    ],
    ['(see www.example.org/a_b) http://user:pw@localhost:3000/x', '(see example.org) localhost'],
    ['詳細はhttps://example.com/fooを見て。', '詳細はexample.comを見て。'],
    ['![A cat](https://x.example/z.png) and [text][1]\n\n[1]: https://x.example', 'A cat and text'],
    ['<mailto:jane@example.com> or <jane@example.com>', 'jane@example.com or jane@example.com'],
  ])
})

test('TTS-95: elements of HTML and SSML are left out, also escaped, and entities are characters', () => {
  assertSpoken([
    ['<p>Hello <b class="x">world</b></p><p>Next &amp; more</p>', 'Hello world\n\nNext & more'],
    ['<a href="https://e.example/_x_">there</a><br>now', 'there\nnow'],
    ['<speak>Hi <break time="1s"/> <say-as interpret-as="date">May 1</say-as></speak>', 'Hi\nMay 1'],
    ['&lt;speak&gt;Hi &lt;break time="1s"/&gt; there&lt;/speak&gt;', 'Hi\nthere'],
    ['<amazon:effect name="whispered">psst</amazon:effect>', 'psst'],
    ['<!-- a --><script>x < 1</script><style>p{}</style>Hi', 'Hi'],
    ['`<b>` makes text bold', '<b> makes text bold'],
  ])
})

test('TTS-95: emoji are left out', () => {
  assertSpoken([
    ['Great job 🎉! 👩‍👩‍👧‍👦🇩🇪 Go 👍🏽', 'Great job! Go'],
    ['1️⃣ one © ™ → ❤️', '1 one © ™ →'],
  ])
})

test('TTS-95: plain text stays as it is', () => {
  for (const text of [
    '2 * 3 * 4 = 24, 2*3*4, 2**3**4, 5*6=30 and 7*8=56',
    'snake_case_name, _private and C#, C++',
    '#1 of #tags, @user',
    'I <3 you, 5 < 6, 7>3, a < b > c and List<String>',
    'AT&T, $100 & £5, ~5 to ~6',
    'Line one\nline two\n\nParagraph two',
    '2024. It was a good year.',
    '- 5 degrees',
    'C:\\Users\\me, ~/.config/foo_bar',
    'price: 5 > 3 | 2, [1] and (x)',
    'Use <tag> here.',
    '한국어, ภาษาไทย, שלום, السلام عليكم',
    '👍',
    '***',
    ')',
  ])
    assert.equal(spokenText(text), text)
})

test('TTS-95: no text takes long, and each is spoken', () => {
  const marks = fc.constantFrom(
    ...'*_#`<>&|~[](){}!\\-+ \n\t.:/1a'.split(''),
    '<b>',
    '<!--',
    '](',
    'https://',
    '👍',
  )
  fc.assert(
    fc.property(fc.array(marks, { minLength: 1, maxLength: 60 }), (parts) => {
      const text = parts.join('')
      assert.equal(spokenText(text) === '', text.trim() === '')
    }),
  )
  // Each level of a quote would be read again for each line, and takes its time for each character.
  for (const nested of ['>', '> - ', '1. ', '[', '*a ', '<a ', '[a](', '<!--', '`a'])
    assert.ok(spokenText(nested.repeat(5_000 / nested.length)).length <= 5_000, nested)
})
