import { Notice } from '../../components/Notice.tsx'
import { signInTexts } from './sign-in.texts.ts'

const texts: Readonly<Record<string, string>> = signInTexts.issuerFailures

export interface IssuerFailureProps {
  /** The code in the link that leads back from the issuer. Anybody can make such a link, so its text is never shown. */
  readonly code: string | null
}

/** Why the visit to an issuer failed. */
export function IssuerFailure({ code }: IssuerFailureProps) {
  if (code === null) return null
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined
  return <Notice tone="danger" title={text ?? signInTexts.issuerFailures.OIDC_SIGN_IN_REJECTED} />
}
