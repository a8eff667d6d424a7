import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ExportFact, ExportSection } from '../../../personal-data.ts'
import type { ExportDocument } from './document.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'

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

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = []
  for await (const piece of pieces) read.push(piece)
  return Buffer.concat(read).toString()
}

describe('writing exports', () => {
  for (const [form, write] of [
    ['JSON', writeJson],
    ['CSV', writeCsv],
  ] as const) {
    test(`EXP-15: ${form} is written as it is read, and no faster than it is taken`, async () => {
      let given = 0
      const endless: ExportSection = {
        name: 'endless',
        async *facts() {
          for (;;) yield { key: `${given++}`, value: 'x'.repeat(1_000) }
        },
      }
      const pieces = write(documentOf(endless))[Symbol.asyncIterator]()
      for (let n = 0; n < 20; n++) assert.equal((await pieces.next()).done, false)
      await new Promise(setImmediate)
      assert.ok(given < 20 * 80, `${given} facts were read for 20 pieces`)
      await pieces.return?.()
    })

    test(`EXP-15: a source of ${form} that fails fails the writing`, async () => {
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

  test('EXP-10: nothing to say is an empty list; what JSON cannot say is null', async () => {
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

  test('EXP-11 EXP-12: every kind of value has its cell', async () => {
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
