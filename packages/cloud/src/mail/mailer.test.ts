import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { startMailServer } from '../../test/support/mail-server.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import { type Clock, systemClock } from '../time/index.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { checkMailServer, createMailer, RETRY_DELAYS_MS } from './index.ts'
import { type MailerUnderTest, mailerSuite } from './mailer-suite.ts'

/** Creates a mailer with a log. */
function create(t: TestContext, smtpUrl: string | undefined, file?: string, clock: Clock = systemClock) {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const mailer = createMailer({ smtpUrl, file, from: 'Cloud <cloud@example.com>', log, clock })
  t.after(() => mailer.close())
  return { mailer, lines }
}

describe('mail in the log', () => {
  mailerSuite(async (t): Promise<MailerUnderTest> => {
    const { mailer, lines } = create(t, undefined)
    const linesFor = (to: string) => lines.map((line) => JSON.parse(line)).filter((line) => line.to === to)
    return {
      mailer,
      arrivedFor: (to) =>
        linesFor(to)
          .map(({ link }) => link)
          .join('\n'),
      privateLog: undefined,
    }
  })
})

/** A folder that is deleted after the test. */
async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-mail-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('mail in a file', () => {
  mailerSuite(async (t): Promise<MailerUnderTest> => {
    const file = join(await temporaryFolder(t), 'mail.jsonl')
    const { mailer, lines } = create(t, undefined, file)
    const arrivedFor = (to: string) => {
      const all = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      const mails = all.map((line) => JSON.parse(line)).filter((mail) => mail.to === to)
      return mails.map(({ link }) => link).join('\n')
    }
    return { mailer, arrivedFor, privateLog: lines }
  })

  test('ACCT-35: the file is readable by its owner only, also if it existed', async (t) => {
    const folder = await temporaryFolder(t)
    for (const name of ['new', 'existing']) {
      const file = join(folder, name)
      if (name === 'existing') writeFileSync(file, 'before\n', { mode: 0o666 })
      const { mailer } = create(t, undefined, file)
      mailer.send({ to: 'user@example.com', subject: 's', text: 't', link: 'https://example.com/#token=x' })
      await mailer.idle()
      assert.equal(statSync(file).mode & 0o777, 0o600, name)
      assert.match(readFileSync(file, 'utf8'), name === 'existing' ? /^before\n\{/ : /^\{/)
    }
  })

  test('ACCT-36: a file that cannot be written is logged without the address and the link', async (t) => {
    const folder = await temporaryFolder(t)
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    for (const file of [join(folder, 'link'), join(folder, 'missing', 'mail')]) {
      const { mailer, lines } = create(t, undefined, file)
      mailer.send({ to: 'user@example.com', subject: 's', text: 't', link: 'https://example.com/#token=x' })
      await mailer.idle()
      assert.equal(lines.length, 1)
      assert.doesNotMatch(String(lines[0]), /user@|token=/)
    }
    assert.equal(existsSync(join(folder, 'elsewhere')), false)
  })
})

describe('mail by SMTP', () => {
  mailerSuite(async (t): Promise<MailerUnderTest> => {
    const server = await startMailServer(t)
    const { mailer, lines } = create(t, server.url)
    const arrivedFor = (to: string) =>
      server.mails
        .filter((mail) => mail.to === to)
        .map(({ text }) => text)
        .join('\n')
    return { mailer, arrivedFor, privateLog: lines }
  })

  test('ACCT-36: a failure is logged without the address and the link, and does not keep the mailer open', async (t) => {
    for (const url of [(await startMailServer(t, { rejects: true })).url, 'smtp://127.0.0.1:9']) {
      const { mailer, lines } = create(t, url)
      mailer.send({ to: 'user@example.com', subject: 's', text: 't', link: 'https://example.com/#token=x' })
      await mailer.close()
      assert.equal(lines.length, 1)
      assert.match(String(lines[0]), /a message could not be sent/)
      assert.doesNotMatch(String(lines[0]), /user@|token=/)
    }
  })

  test('ACCT-36: a message that is refused for now is sent again within the hour', async (t) => {
    const server = await startMailServer(t, { delays: RETRY_DELAYS_MS.length })
    const clock = new VirtualClock()
    const { mailer, lines } = create(t, server.url, undefined, clock)
    mailer.send({ to: 'user@example.com', subject: 's', text: 't', link: 'https://example.com/#token=x' })
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      await waitFor('the refusal', () => lines.length > index)
      assert.deepEqual(server.mails, [])
      clock.advance(delayMs)
    }
    await mailer.idle()
    assert.equal(server.mails.length, 1)
    assert.ok(clock.monotonicNow() < 60 * 60_000)
    for (const line of lines) assert.match(line, /451 4\.7\.1.*sent again later/)
    assert.doesNotMatch(lines.join(), /user@|token=/)
  })

  test('ACCT-36: a message that waits is sent a last time when the mailer is closed', async (t) => {
    for (const delays of [1, 2]) {
      const server = await startMailServer(t, { delays })
      const { mailer, lines } = create(t, server.url, undefined, new VirtualClock())
      mailer.send({ to: 'user@example.com', subject: 's', text: 't', link: 'https://example.com/#token=x' })
      await waitFor('the refusal', () => lines.length === 1)
      await mailer.close()
      assert.equal(server.mails.length, 2 - delays)
      assert.equal(lines.length, delays)
    }
  })

  test('CLI-40: the connection is checked, with its encryption and sign-in, and nothing is sent', async (t) => {
    const server = await startMailServer(t)
    await checkMailServer(server.url)
    const { host } = new URL(server.url)
    for (const url of [`smtps://u:hunter2@${host}`, `${server.url}?requireTLS=true`])
      await assert.rejects(checkMailServer(url), (error: Error) => !error.message.includes('hunter2'))
    assert.deepEqual(server.mails, [])
  })

  test('ACCT-36: messages beyond 200 that wait are dropped, and that is logged', async (t) => {
    const server = await startMailServer(t)
    const { mailer, lines } = create(t, server.url)
    const mail = { subject: 's', text: 't', link: 'https://example.com' }
    for (let count = 0; count <= 200; count += 1) mailer.send({ ...mail, to: `user${count}@example.com` })
    await mailer.close()
    assert.equal(server.mails.length, 200)
    assert.equal(lines.filter((line) => line.includes('a message was dropped')).length, 1)
  })
})
