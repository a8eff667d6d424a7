import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { checkMailServer } from '../mail/index.ts'
import { failure, ok, reasonOf } from './finding.ts'

const PART = 'mail'

/** Checks that the mail server accepts connections with the encryption and the sign-in of `SMTP_URL`; sends no mail. */
export async function checkMail({ mail: { smtpUrl } }: Config): Promise<Finding[]> {
  if (smtpUrl === undefined) return []
  const { host } = new URL(smtpUrl)
  try {
    await checkMailServer(smtpUrl)
    return [ok(PART, `${host} accepts the connection`)]
  } catch (error) {
    return [failure(PART, `${host} cannot be used (${reasonOf(error)}); check SMTP_URL`)]
  }
}
