import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ExportFact, ExportSection } from '../../../personal-data.ts'
import { type ExportDocument, writeCsv, writeJson } from './write.ts'

const documentOf = (...sections: ExportSection[]): ExportDocument => ({
  exportId: 'export_1',
  user: { id: '1', email: 'ada@example.com' },
  createdAt: 0,
  sections,
})

const sectionOf = (name: string, facts: readonly ExportFact[]): ExportSection => ({
  name,
  async *facts() {
    yield* facts
  },
})

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected).toString()
}

describe('writeJson and writeCsv', () => {
  for (const [format, write] of [
    ['JSON', writeJson],
    ['CSV', writeCsv],
  ] as const) {
    test(`EXP-15: ${format} is streamed with backpressure`, async () => {
      let factsRead = 0
      const endless: ExportSection = {
        name: 'endless',
        async *facts() {
          for (;;) yield { key: `${factsRead++}`, value: 'x'.repeat(1_000) }
        },
      }
      const chunks = write(documentOf(endless))[Symbol.asyncIterator]()
      for (let n = 0; n < 20; n++) assert.equal((await chunks.next()).done, false)
      await new Promise(setImmediate)
      assert.ok(factsRead < 20 * 80, `${factsRead} facts were read for 20 chunks`)
      await chunks.return?.()
    })

    test(`EXP-15: an error of a section rejects the ${format} stream`, async () => {
      const broken: ExportSection = {
        name: 'broken',
        async *facts() {
          yield { key: 'a', value: 1 }
          throw new Error('broken')
        },
      }
      await assert.rejects(textOf(write(documentOf(broken))), /broken/)
    })
  }

  test('EXP-10: an empty section is an empty list, and an undefined value is null', async () => {
    const document = documentOf(
      sectionOf('none', []),
      sectionOf('some', [
        { key: 'a', value: undefined, updatedAt: 1 },
        { key: '"b\u2028', value: { c: ['é'] } },
      ]),
    )
    assert.deepEqual(JSON.parse(await textOf(writeJson(document))), {
      format: 'glasses-cloud-export',
      version: 1,
      exportId: 'export_1',
      createdAt: '1970-01-01T00:00:00.000Z',
      user: { id: '1', email: 'ada@example.com' },
      sections: {
        none: [],
        some: [
          { key: 'a', value: null, updatedAt: '1970-01-01T00:00:00.001Z' },
          { key: '"b\u2028', value: { c: ['é'] } },
        ],
      },
    })
  })

  test('EXP-11 EXP-12: values of every type are written as cells', async () => {
    const facts = [
      { key: '=key', value: 'x', updatedAt: 0 },
      { key: 'text', value: 'a "b", c\r\nd' },
      { key: 'lone', value: 'a\nb\rc' },
      { key: 'empty', value: '' },
      { key: 'number', value: 1.5 },
      { key: 'null', value: null },
      { key: 'object', value: { a: { b: '@x' }, c: [1, '=2'], d: {}, e: undefined } },
      { key: 'wide', value: '＝1' },
    ]
    const csv = await textOf(writeCsv(documentOf(sectionOf('s', facts))))
    const lines = [
      'section,key,value,updatedAt',
      "s,'=key,x,1970-01-01T00:00:00.000Z",
      's,text,"a ""b"", c\r\nd",',
      's,lone,"a\nb\rc",',
      's,empty,,',
      's,number,1.5,',
      's,null,null,',
      "s,object.a.b,'@x,",
      's,object.c,"[1,""=2""]",',
      's,object.d,{},',
      "s,wide,'＝1,",
      '',
    ]
    assert.equal(csv, lines.join('\r\n'))
  })
})
