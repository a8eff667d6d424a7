import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { describe, type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { createStreamingProvider } from '../../src/features/video/create-provider.ts'
import { createLog } from '../../src/http/log.ts'
import { systemClock } from '../../src/time/index.ts'
import { openTls } from '../../src/tls/index.ts'
import { certificateFolder, testCertificate } from '../support/certificates.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { ffmpegMissing } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'

/** Publishes a test picture until the end of the test. */
function publish(t: TestContext, url: string): void {
  const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-f', 'flv', url]
  const child = spawn('ffmpeg', ['-v', 'quiet', '-nostdin', ...source, ...encoder], {
    env: inheritedEnv(),
    stdio: 'ignore',
  })
  t.after(() => child.kill('SIGKILL'))
}

describe('RTMPS', { skip: ffmpegMissing }, () => {
  test('TLS-40: glasses get addresses of RTMPS; the port also accepts RTMP', async (t) => {
    const folder = await certificateFolder(t, await testCertificate())
    const dir = folder.env.TLS_CERT_FILE.replace(/\/current\/.*/, '')
    const config = readConfig({ ...folder.env, HOST: '127.0.0.1', DATA_DIR: dir, RTMP_PORT: '0' })
    const [clock, log] = [systemClock, createLog('silent')]
    const unused = {} as never
    const tls = await openTls({
      config,
      db: unused,
      secrets: ['a secret for tests that is long enough'],
      clock,
      log,
      metrics: { gauge() {} },
    })
    assert.ok(tls)
    const { local } = await createStreamingProvider({
      config,
      clock,
      log,
      gallery: unused,
      inputs: unused,
      recordings: unused,
      holder: 'test',
      nodeUrl: () => 'http://127.0.0.1',
      publicUrl: () => new URL('https://localhost:8443'),
      tls,
    })
    assert.ok(local)
    t.after(() => local.close())
    for (const scheme of ['rtmps', 'rtmp']) {
      const input = await local.createInput({ userId: 'u' })
      assert.ok(input.ok)
      const { ingestUrl, inputId } = input.value
      assert.match(ingestUrl, /^rtmps:\/\/localhost:\d+\/live\//)
      publish(t, ingestUrl.replace(/^rtmps/, scheme))
      await waitFor(`${scheme} arrives`, async () => {
        const ready = await local.isReady(inputId)
        return ready.ok && ready.value
      })
    }
    assert.equal(tls.unfinishedHandshakes, 0)
  })
})
