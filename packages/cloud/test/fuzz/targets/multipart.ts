import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { Gallery } from '../../../src/features/gallery/index.ts'
import { detectPhotoType } from '../../../src/features/gallery/photo.ts'
import type { Incidents } from '../../../src/features/incidents/incidents.ts'
import { ATTACHMENT_FORM_LIMITS, readAttachments } from '../../../src/features/incidents/read-attachments.ts'
import { checkUpload, readUpload, UPLOAD_FORM_LIMITS } from '../../../src/features/photos/read-upload.ts'
import { none } from '../../../src/http/auth/index.ts'
import { endpoint } from '../../../src/http/endpoint.ts'
import { fault } from '../../../src/http/fault.ts'
import { INTERNALS, serveEndpoints } from '../server.ts'
import type { FuzzTarget } from '../target.ts'

/** The first line of an input is the path and the content type. */
const LINE = /^(\S*) ?([^\n\r]*)\n/

/** Holds the photos of one request. */
class FakeGallery {
  readonly held = new Set<object>()
  receivedBytes = 0

  async receive(userId: string, source: AsyncIterable<Uint8Array>) {
    const { type, content } = await detectPhotoType(source)
    let size = 0
    for await (const chunk of content) size += chunk.length
    this.receivedBytes += size
    if (type === undefined) return 'type'
    const photo = { id: 'photo', userId, type, size }
    this.held.add(photo)
    return photo
  }

  async discard(photo: object): Promise<void> {
    assert.ok(this.held.delete(photo), 'a photo is discarded once')
  }
}

const DEADLINE_MS = 20_000

const common = { method: 'POST', summary: '', tags: [], style: 'bare', auth: none, errors: [] } as const
const schema = { response: { 200: Type.Unknown() } }

const form = (boundary: string, ...parts: string[]) =>
  `multipart/form-data; boundary=${boundary}\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
const field = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
const file = (name: string, filename: string, content: string) =>
  `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/jpeg\r\n\r\n${content}`
const JPEG = '\xff\xd8\xff\xe0\x00\x10JFIF'

/** Forms with files: photos of glasses, and files of incidents. */
export const target: FuzzTarget = {
  maxBytes: 4 * 1024,
  async open() {
    let gallery = new FakeGallery()
    let attached = 0
    const incidents: Pick<Incidents, 'attach'> = {
      async attach(_, __, { filename, mimeType, content }) {
        assert.match(filename, /^[^\p{Cc}/\\]{1,200}$/u)
        assert.match(mimeType, /^\P{Cc}{0,100}$/u)
        for await (const chunk of content) attached += chunk.length
        return filename.startsWith('no') ? { ok: false, error: 'no' } : { ok: true }
      },
    }
    const server = await serveEndpoints([
      endpoint({
        ...common,
        url: '/photos',
        schema,
        limits: { form: UPLOAD_FORM_LIMITS, perMinute: 'unlimited' },
        handler: async ({ request }) => {
          if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
          // The reader uses these methods only.
          const received = gallery as unknown as Gallery
          const upload = await readUpload(request, 'user', received, {
            requestId: undefined,
            signal: AbortSignal.timeout(DEADLINE_MS),
            onStorageFailure: async () => assert.fail('nothing fails'),
          })
          const checked = checkUpload(upload)
          if (typeof upload.photo === 'object') await gallery.discard(upload.photo)
          if (!checked.ok) throw checked.error
          return { requestId: checked.requestId, size: checked.photo.size }
        },
      }),
      endpoint({
        ...common,
        url: '/files',
        schema,
        limits: { form: ATTACHMENT_FORM_LIMITS, perMinute: 'unlimited' },
        handler: async ({ request }) => {
          if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
          return readAttachments(request, incidents as Incidents, 'user', 'incident')
        },
      }),
    ])
    const seeds = [
      form('b', field('requestId', 'photo_1'), file('photo', 'a.jpg', JPEG)),
      form('b', file('file', 'a.jpg', JPEG), field('metadata', '{"requestId":"photo_1"}')),
      form('b', file('photo', 'a.txt', 'text'), field('requestId', 'x')),
      form('b', file('photo', 'a.jpg', '\x89PNG\r\n\x1a\n0000'), file('photo', 'b.jpg', JPEG)),
      form('b', file('other', '../../a', 'x'), field('__proto__', 'x')),
      form('b', file('files', 'no.txt', 'x'), file('files', "a'b.txt", 'y')),
      form('"a b"', field('x', 'y')),
      'application/json\n{}',
    ]
    return {
      seeds: seeds
        .flatMap((seed) => [`/photos ${seed}`, `/files ${seed}`])
        .map((seed) => Buffer.from(seed, 'latin1')),
      dictionary: [
        ...[
          'Content-Disposition: form-data; ',
          'Content-Type: ',
          'Content-Transfer-Encoding: base64',
          '\r\n\r\n',
          '--b\r\n',
        ],
        ...[
          '--b--',
          'name="requestId"',
          'name="photo"',
          'name="files"',
          'filename="',
          "filename*=UTF-8''%00%2f",
          '__proto__',
        ],
        ...[
          'text/plain; charset=utf-16',
          'application/json',
          'boundary=',
          'RIFF0000WEBP',
          '\0',
          '"',
          ';',
          '=',
        ],
      ],
      async run(input) {
        const text = input.toString('latin1')
        const [head = '', path = '', contentType = ''] = LINE.exec(text) ?? []
        if (path !== '/photos' && path !== '/files') return
        gallery = new FakeGallery()
        attached = 0
        const response = await server.inject({
          method: 'POST',
          url: path,
          headers: { 'content-type': contentType.replaceAll(/[^ -~]/g, '') || 'multipart/form-data' },
          payload: input.subarray(head.length),
        })
        assert.ok(
          [200, 400, 413, 415].includes(response.statusCode),
          `${response.statusCode} ${response.body}`,
        )
        assert.equal(gallery.held.size, 0, 'no photo is forgotten')
        assert.ok(gallery.receivedBytes + attached <= input.length, 'no more than was sent')
        const shown = INTERNALS.exec(response.body)?.[0]
        assert.ok(shown === undefined || text.includes(shown), response.body)
      },
      close: () => server.close(),
    }
  },
}
