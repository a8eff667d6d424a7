import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { startMailServer } from '../../test/support/mail-server.ts'
import { createMailer } from './mailer.ts'
import { type MailerUnderTest, mailerSuite } from './mailer-suite.ts'

/** Creates a mailer with a log. */
function create(t: TestContext, smtpUrl: string | undefined) {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const mailer = createMailer({ smtpUrl, from: 'Cloud <cloud@example.com>', log })
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
