import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { none } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { PLAYER_SCRIPT } from './player-script.ts'
import { PLAYER_STYLE } from './player-style.ts'

const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Files of the player page; nothing is loaded from other servers. */
const ASSETS: Readonly<Record<string, { readonly type: string; open(): string | Readable }>> = {
  'hls.js': {
    type: JAVASCRIPT,
    open: () => createReadStream(fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'))),
  },
  'player.js': { type: JAVASCRIPT, open: () => PLAYER_SCRIPT },
  'player.css': { type: 'text/css; charset=utf-8', open: () => PLAYER_STYLE },
}

export const getPlayerAsset = endpoint({
  method: 'GET',
  url: '/streams/player/:asset',
  summary: 'A file of the player page',
  tags: ['streams'],
  style: 'coded',
  auth: none,
  schema: {
    params: Type.Object({ asset: Type.String() }),
    response: { 200: Type.String({ format: 'binary' }) },
  },
  media: { contentTypes: ['text/javascript', 'text/css'] },
  errors: ['NOT_FOUND'],
  handler: async ({ params, reply }) => {
    const asset = Object.hasOwn(ASSETS, params.asset) ? ASSETS[params.asset] : undefined
    if (asset === undefined) throw fault('NOT_FOUND')
    return reply
      .headers({ 'content-type': asset.type, 'cache-control': 'public, max-age=3600' })
      .send(asset.open())
  },
})
