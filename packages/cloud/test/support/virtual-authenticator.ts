import type { CDPSession, Page } from 'playwright-core'

/** An authenticator that a browser has, and the session of the developer tools that controls it. */
export interface VirtualAuthenticator {
  readonly devTools: CDPSession
  readonly authenticatorId: string
}

/** Gives a page an authenticator that stores passkeys and verifies its user without a question. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devTools, authenticatorId }
}
