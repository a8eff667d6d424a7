import type { Mailer } from '../../mail/index.ts'
import { pageLink } from './links.ts'

/** Collaborators of {@link SecurityNotices}. */
export interface SecurityNoticesDeps {
  readonly mailer: Mailer
  readonly publicUrl: () => URL
}

/** Tells users about new ways to sign in to their account, so that they notice those of somebody else (ACCT-37). */
export class SecurityNotices {
  readonly #deps: SecurityNoticesDeps

  constructor(deps: SecurityNoticesDeps) {
    this.#deps = deps
  }

  passwordChanged(email: string): void {
    this.#send(email, '/reset-password', {
      subject: 'Your password was changed',
      text: 'The password of your account was changed',
      advice: 'If you did not change it, request a new password here:',
    })
  }

  passkeyAdded(email: string): void {
    this.#send(email, '/account/security', {
      subject: 'A passkey was added to your account',
      text: 'A passkey was added, which signs in to your account',
      advice: 'If you did not add it, delete it here, and change your password:',
    })
  }

  personalTokenCreated(email: string): void {
    this.#send(email, '/account/sessions', {
      subject: 'A personal access token was created',
      text: 'A personal access token was created, with which programs use your account',
      advice: 'If you did not create it, revoke it here, and change your password:',
    })
  }

  /** @param label of the issuer, as the sign-in page shows it */
  accountLinked(email: string, label: string): void {
    this.#send(email, '/account/security', {
      subject: 'Your account was linked',
      text: `An account at ${label} was linked, which signs in to your account`,
      advice: 'If you did not link it, unlink it here, and change your password:',
    })
  }

  signedInElsewhere(email: string): void {
    this.#send(email, '/account/security', {
      subject: 'New sign-in to your account',
      text: 'An app signed in to your account by an identity provider that has verified your address',
      advice:
        'If it was not you, sign out everywhere here, and secure your account at the identity provider:',
    })
  }

  #send(
    to: string,
    page: string,
    { subject, text, advice }: { readonly subject: string; readonly text: string; readonly advice: string },
  ): void {
    const { mailer, publicUrl } = this.#deps
    const link = pageLink(publicUrl(), page)
    mailer.send({ to, subject, text: `${text} at ${publicUrl().host}. ${advice}`, link })
  }
}
