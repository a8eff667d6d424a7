import type { SpeechModel } from '../../api/speech-models.ts'

export interface LicenseLinkProps {
  readonly license: SpeechModel['license']
  /** Name of the license by default. */
  readonly label?: string
}

/** The license of a model, with a link to its text. */
export function LicenseLink({ license: { name, url }, label = name }: LicenseLinkProps) {
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {label} <span className="visually-hidden">(opens in a new tab)</span>
    </a>
  )
}
