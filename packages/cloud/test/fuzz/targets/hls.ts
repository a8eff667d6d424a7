import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalStreamingProvider } from '../../../src/features/video/local/local-provider.ts'
import { playbackEndpoints } from '../../../src/features/video/playback/endpoints.ts'
import type { PlaybackForwarder } from '../../../src/features/video/playback/forward-playback.ts'
import { fault } from '../../../src/http/fault.ts'
import { sendRaw } from '../../support/raw-http.ts'
import { INTERNALS, serveEndpoints } from '../server.ts'
import type { FuzzTarget } from '../target.ts'

const INPUT = 'abc123'
const TOKEN = 'token-of-input'
const SECRET = 'a secret file'
const PUBLIC = 'public'

const DEADLINE_MS = 20_000

/** Headers that announce more than the request. */
const BODY_HEADER = /content-length|transfer-encoding|expect|upgrade|connection/i

/** The files that anybody who has the address of a stream may read. */
const FILES = ['master.m3u8', 'media_0.m3u8', 'manifest.mpd', '123456-init-0.m4s', '123456-0-00001.m4s']

/** Requests of players: their paths, queries and headers. The first line of an input is the path, then one header a line. */
export const target: FuzzTarget = {
  maxBytes: 1_024,
  async open() {
    const root = await mkdtemp(join(tmpdir(), 'fuzz-hls-'))
    const folder = join(root, INPUT)
    await mkdir(folder)
    for (const name of FILES) await writeFile(join(folder, name), PUBLIC)
    for (const path of [join(root, 'secret'), join(folder, 'secret'), join(folder, 'master.m3u8.tmp')])
      await writeFile(path, SECRET)
    const local: Pick<LocalStreamingProvider, 'input'> = {
      // Playback reads these fields of an input only.
      input: (id) =>
        id === INPUT ? ({ token: TOKEN, folder, thumbnail: Buffer.from(PUBLIC) } as never) : undefined,
    }
    const forwarder: Pick<PlaybackForwarder, 'forward'> = {
      forward: async (inputId) => {
        assert.notEqual(inputId, INPUT)
        throw fault('STREAM_NOT_FOUND')
      },
    }
    const server = await serveEndpoints(
      playbackEndpoints({
        local: local as LocalStreamingProvider,
        forwarder: forwarder as PlaybackForwarder,
      }),
    )
    await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as AddressInfo
    const base = `/streams/${INPUT}/${TOKEN}`
    return {
      seeds: [
        base,
        ...[...FILES, 'thumbnail.jpg', 'secret', '..%2fsecret', 'master.m3u8.tmp'].map(
          (name) => `${base}/${name}`,
        ),
        `${base}/master.m3u8?_HLS_msn=1&_HLS_part=0\nRange: bytes=0-3\nIf-None-Match: "x"`,
        '/streams/player/hls.js',
        '/streams/player/player.css',
        `/streams/${INPUT}/wrong/master.m3u8`,
        '/streams/other/token/master.m3u8',
      ],
      dictionary: [
        '..',
        '%2e%2e',
        '%2f',
        '%5c',
        '%00',
        '%',
        '/',
        '//',
        '\\',
        '?',
        '#',
        'secret',
        '.m3u8',
        INPUT,
        TOKEN,
        'Range: bytes=',
        'Host: ',
        '__proto__',
        'constructor',
      ],
      async run(input) {
        const [path = '', ...lines] = input.toString('latin1').split('\n')
        const headers = lines.filter((line) => !BODY_HEADER.test(line))
        const request = `GET ${path} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}`
        const bytes = Buffer.from(`${request}Host: localhost\r\nConnection: close\r\n\r\n`, 'latin1')
        const { status, body } = await sendRaw(port, bytes, DEADLINE_MS)
        assert.ok([200, 206, 304, 400, 404, 413, 414, 416, 431].includes(status), `${status} ${body}`)
        assert.ok(!body.includes(SECRET), 'a file that is not part of the stream')
        // Less than the whole of a secret would be one, too.
        if (status === 206) assert.ok(PUBLIC.includes(body), body)
        if (status === 206 || (status === 200 && body === PUBLIC))
          assert.ok(decoded(path).includes(TOKEN), 'a stream without its token')
        const shown = status === 200 || status === 206 ? undefined : INTERNALS.exec(body)?.[0]
        assert.ok(shown === undefined || input.includes(shown), body)
      },
      async close() {
        await server.close()
        await rm(root, { recursive: true, force: true })
      },
    }
  },
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
