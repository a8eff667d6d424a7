import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { LinkMail, Mailer } from './index.ts'

/** An adapter under test. */
export interface MailerUnderTest {
  readonly mailer: Mailer
  /** Returns what arrived for an address, at the recipient or at the operator, as text that contains the links. */
  arrivedFor(to: string): string
  /** The lines of the log that recipients' links must not be in; undefined if the log is the destination. */
  readonly privateLog: readonly string[] | undefined
}

const mailTo = (to: string, token: string): LinkMail => ({
  to,
  subject: 'Reset your password – “now”',
  text: 'Somebody requested a new password.\n.\nIf it was not you, ignore this message.',
  link: `https://cloud.example.com/console/reset-password?a=1&b=%C3%BC#token=${token}`,
})

/** Tests the contract of `Mailer`. */
export function mailerSuite(start: (t: TestContext) => Promise<MailerUnderTest>): void {
  test('ACCT-35: every message arrives with its link unchanged, also of many at the same time', async (t) => {
    const { mailer, arrivedFor, privateLog } = await start(t)
    const mails = Array.from({ length: 20 }, (_, index) =>
      mailTo(`user${index}@example.com`, `t=${index}.x_-`),
    )
    for (const mail of mails) mailer.send(mail)
    await mailer.idle()
    for (const { to, link } of mails) assert.ok(arrivedFor(to).includes(link), `${to}: ${arrivedFor(to)}`)
    assert.deepEqual(privateLog?.filter((line) => line.includes('token=')) ?? [], [])
  })

  test('ACCT-35: a subject and a text cannot add recipients or headers', async (t) => {
    const { mailer, arrivedFor } = await start(t)
    const mail = mailTo('user@example.com', 'x')
    mailer.send({
      ...mail,
      subject: 'Hello\r\nBcc: other@example.com',
      text: '\r\n.\r\nRCPT TO:<other@example.com>',
    })
    await mailer.idle()
    assert.ok(arrivedFor('user@example.com').includes(mail.link))
    assert.equal(arrivedFor('other@example.com'), '')
    assert.doesNotMatch(arrivedFor('user@example.com'), /^Bcc:/m)
  })

  test('ACCT-35: a mailer closes when every message has been sent, and may be unused', async (t) => {
    const { mailer, arrivedFor } = await start(t)
    mailer.send(mailTo('user@example.com', 'last'))
    await mailer.close()
    assert.match(arrivedFor('user@example.com'), /token=last/)
    const unused = await start(t)
    await unused.mailer.idle()
    await unused.mailer.close()
  })
}
