import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ManualClock } from '@glasses-cloud/phone/test/manual-clock'
import { BrilliantModel } from '../src/brilliant/index.ts'

async function connect(kind: 'Frame' | 'Halo') {
  const clock = new ManualClock()
  const glasses = new BrilliantModel(clock, kind)
  const received: Uint8Array[] = []
  let losses = 0
  await glasses.connect({
    notification: (bytes) => received.push(bytes),
    disconnected: () => {
      losses += 1
    },
  })
  /** Writes text or bytes, and returns what came within 100 ms. */
  const send = async (value: string | readonly number[]) => {
    received.length = 0
    void glasses
      .write(typeof value === 'string' ? Buffer.from(value) : Uint8Array.from(value))
      .catch(() => {})
    await clock.advance(100)
    return received.map((bytes) =>
      bytes[0] === 1 ? Buffer.from(bytes).toString('hex') : Buffer.from(bytes).toString(),
    )
  }
  return { clock, glasses, send, losses: () => losses }
}

describe('the model of a Frame and a Halo', () => {
  test('statements are executed, and answered with what they print or their error', async () => {
    const { send } = await connect('Frame')
    assert.deepEqual(await send('a = 1 + 2'), [])
    assert.deepEqual(await send('print(a)'), ['3'])
    assert.match((await send('1 + 2'))[0] ?? '', /^\[string "1 \+ 2"\]:1: /)
    assert.match((await send('frame.nothing()'))[0] ?? '', /attempt to call a nil value/)
    assert.deepEqual(await send('print(frame.HARDWARE_VERSION, frame.bluetooth.max_length())'), [
      'Frame\t243',
    ])
    assert.match((await send('while true do end'))[0] ?? '', /does not sleep/)
  })

  test('data reaches the callback of a running program, statements wait, and a break ends it', async () => {
    const { glasses, send, clock } = await connect('Frame')
    const program = 'while true do frame.sleep(0.01) end'
    await send('frame.bluetooth.receive_callback(function(d) frame.bluetooth.send(d..d) end)')
    await send(program)
    assert.ok(glasses.isRunning)
    assert.deepEqual(await send([1, 7, 0, 9]), ['01070009070009'])
    assert.deepEqual(await send('print(1)'), [])
    const [error, waited] = await send([3])
    assert.match(error ?? '', /break signal/)
    assert.equal(waited, undefined, 'the radio was busy with the error')
    assert.equal(glasses.printed.at(-1), '1')
    glasses.mainProgram = 'x = 5 frame.bluetooth.receive_callback(nil)'
    await send([4])
    await clock.advance(100)
    assert.deepEqual(await send('print(a, x)'), ['nil\t5'])
    assert.deepEqual(await send([1, 7]), [])
  })

  test('Frame shows what is drawn on request, Halo at once and only while its display is on', async () => {
    const frame = await connect('Frame')
    await frame.send("frame.display.text('one', 1, 60)frame.display.text('two', 1, 1)")
    assert.deepEqual(frame.glasses.lens.lines, [])
    await frame.send('frame.display.show()')
    assert.deepEqual(frame.glasses.lens.lines, ['two', 'one'])
    await frame.send(
      "frame.display.text('x/y 日', 1, 1)frame.display.text('far', 620, 360)frame.display.show()",
    )
    assert.deepEqual(frame.glasses.lens.lines, ['xy '])
    assert.deepEqual([frame.glasses.lens.missingGlyphs, frame.glasses.lens.overflows], [2, 3])
    assert.match(
      (await frame.send("frame.display.bitmap(0, 1, 8, 2, 0, 'x')"))[0] ?? '',
      /x_position must be/,
    )

    const halo = await connect('Halo')
    await halo.send("frame.display.text('dark', 100, 100)")
    assert.deepEqual(halo.glasses.lens.lines, [])
    await halo.send('frame.display.power_save(false)')
    assert.deepEqual(halo.glasses.lens.lines, ['dark'])
    await halo.send("frame.display.text('corner', 1, 1)")
    assert.equal(halo.glasses.lens.overflows, 6)
    await halo.send("frame.display.clear(0)frame.display.bitmap(101, 51, 8, 2, 0, '\\x81\\x00')")
    const { pixels } = halo.glasses.lens
    assert.deepEqual(
      [...pixels.entries()].flatMap(([index, bit]) => (bit ? [[index % 256, Math.floor(index / 256)]] : [])),
      [
        [100, 50],
        [107, 50],
      ],
    )
  })

  test('the microphone gives recorded sound as time passes', async () => {
    const { glasses, send, clock } = await connect('Frame')
    glasses.microphone.sound = Uint8Array.from({ length: 400 }, (_, index) => index % 256)
    await send('frame.microphone.start{sample_rate=8000, bit_depth=16}')
    assert.match((await send('frame.microphone.start{}'))[0] ?? '', /already started/)
    await send('d = frame.microphone.read(6)')
    assert.deepEqual(await send('print(#d, d:byte(1, -1))'), ['6\t0\t1\t4\t5\t8\t9'])
    await clock.advance(1000)
    assert.deepEqual(await send('print(#frame.microphone.read(4000))'), ['4000'])
    await send('frame.microphone.stop()')
    assert.deepEqual(await send('print(frame.microphone.read(2))'), ['nil'])
  })

  test('the faults are lost writes and notifications, failed writes, distance and a loss', async () => {
    const { glasses, send, losses, clock } = await connect('Halo')
    glasses.faults.lostWrites = 1
    assert.deepEqual(await send('n = 1 print(n)'), [])
    glasses.faults.lostNotifications = 1
    assert.deepEqual(await send('n = 2 print(n)'), [])
    assert.deepEqual(await send('print(n)'), ['2'])
    glasses.faults.delayMs = 200
    assert.deepEqual(await send('print(n)'), [])
    glasses.faults.delayMs = 0
    await clock.advance(300)
    glasses.faults.failedWrites = 1
    const failed = assert.rejects(glasses.write(Uint8Array.of(3)), /could not send/)
    await clock.advance(100)
    await failed
    await assert.rejects(glasses.write(new Uint8Array(507)), /longer than the link allows/)
    glasses.faults.writesUntilLoss = 1
    await send('print(n)')
    assert.equal(losses(), 0)
    await send('print(n)')
    assert.deepEqual([losses(), glasses.isConnected], [1, false])
    await assert.rejects(glasses.write(Uint8Array.of(3)), /not connected/)
    glasses.faults.isAway = true
    await assert.rejects(glasses.connect({ notification: () => {}, disconnected: () => {} }), /out of range/)
  })
})
