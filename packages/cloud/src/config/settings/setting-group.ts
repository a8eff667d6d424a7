/** An environment variable that the cloud reads. */
export interface SettingDeclaration {
  /** Its default, as Markdown. */
  readonly fallback: string
  /** What it does, as Markdown. */
  readonly description: string
  /** Whether its value is never shown. */
  readonly isSecret?: boolean
}

/** Settings of one purpose: a section of docs/configuration.md and of the settings page. */
export interface SettingGroup {
  readonly title: string
  /** A sentence before them, as Markdown. */
  readonly intro?: string
  readonly settings: Readonly<Record<string, SettingDeclaration>>
}
