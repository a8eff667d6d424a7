import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CONSOLE = fileURLToPath(new URL('../../../packages/console/', import.meta.url))
const VITE = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' }

/** A page with the bare framework of the console, built as the console is, and its server. */
export interface BarePage {
  readonly url: string
  close(): Promise<void>
}

/**
 * Builds `packages/console/bare` with the configuration of the console, and serves it compressed.
 * @param apps the response of `GET /api/apps`, as JSON
 */
export async function serveBarePage(apps: string): Promise<BarePage> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-page-'))
  const args = [
    'build',
    join(CONSOLE, 'bare'),
    '--config',
    join(CONSOLE, 'vite.config.ts'),
    '--outDir',
    folder,
  ]
  const { status, stderr } = spawnSync(process.execPath, [VITE, ...args, '--logLevel', 'warn'], {
    cwd: CONSOLE,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/api/apps') return void response.setHeader('content-type', 'application/json').end(apps)
    const path = url.startsWith('/assets/') ? url : '/index.html'
    const headers = { 'content-type': TYPES[extname(path)] ?? 'text/plain' }
    const compressed = await readFile(join(folder, `${path}.br`)).catch(() => undefined)
    if (compressed !== undefined)
      return void response.writeHead(200, { ...headers, 'content-encoding': 'br' }).end(compressed)
    const plain = await readFile(join(folder, path)).catch(() => undefined)
    response.writeHead(plain === undefined ? 404 : 200, headers).end(plain)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
