import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { reload } from './query-client.ts'

test('a list that was loading while something changed shows the state after the change', async () => {
  const queryClient = new QueryClient()
  const requests: { signal: AbortSignal; respond: (data: string) => void }[] = []
  const list = {
    queryKey: ['list'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((respond) => requests.push({ signal, respond })),
  }
  const stop = new QueryObserver(queryClient, list).subscribe(() => {})
  try {
    const reloaded = reload(queryClient, list)
    requests[0]?.respond('before')
    await new Promise(setImmediate)
    assert.equal(requests[0]?.signal.aborted, true)
    requests[1]?.respond('after')
    await reloaded
    assert.equal(queryClient.getQueryData(list.queryKey), 'after')
    assert.equal(requests.length, 2)
  } finally {
    stop()
    queryClient.clear()
  }
})
