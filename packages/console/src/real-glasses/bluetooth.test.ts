import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSystem, findObstacle, isClosedChooser } from './bluetooth.ts'

test('CON-235: the system is read from what the browser says', () => {
  const chrome = (system: string) =>
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 Chrome/145.0.0.0 Safari/537.36`
  const cases = [
    [chrome('Linux; Android 10; K'), 5, 'android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1', 5, 'ios'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15', 5, 'ios'],
    [chrome('Macintosh; Intel Mac OS X 10_15_7'), 0, 'macos'],
    [chrome('Windows NT 10.0; Win64; x64'), 10, 'windows'],
    [chrome('X11; CrOS x86_64 14541.0.0'), 0, 'chromeos'],
    [chrome('X11; Linux x86_64'), 0, 'linux'],
    ['something else', 0, 'other'],
  ] as const
  for (const [userAgent, maxTouchPoints, expected] of cases)
    assert.equal(detectSystem({ userAgent, maxTouchPoints }), expected, userAgent)
})

test('CON-235: what keeps a page from Bluetooth', async () => {
  const requestDevice = () => Promise.reject(new Error('not called'))
  assert.equal(await findObstacle(undefined, false), 'insecure')
  assert.equal(await findObstacle(undefined, true), 'unsupported')
  assert.equal(
    await findObstacle({ requestDevice, getAvailability: async () => false }, true),
    'switched-off',
  )
  assert.equal(await findObstacle({ requestDevice, getAvailability: async () => true }, true), undefined)
  assert.equal(await findObstacle({ requestDevice }, true), undefined)
})

test('CON-231: a closed chooser is no error', () => {
  assert.equal(isClosedChooser(new DOMException('User cancelled', 'NotFoundError')), true)
  assert.equal(isClosedChooser(new DOMException('No permission', 'SecurityError')), false)
  assert.equal(isClosedChooser(new Error('This device is not an arm')), false)
})
