import type { ExportSection } from '../../personal-data.ts'
import type { LiveStreamStore } from './live-stream-store.ts'

/** Exports the id of the user's live managed stream. */
export function liveStreamExport(store: LiveStreamStore): ExportSection {
  return {
    name: 'liveStream',
    tables: ['live_streams'],
    async *facts({ id: userId }) {
      const stream = await store.findByUser(userId)
      if (stream === undefined) return
      const { streamId: key, startedAt } = stream
      yield { key, value: { startedAt: new Date(startedAt).toISOString() }, updatedAt: startedAt }
    },
  }
}
