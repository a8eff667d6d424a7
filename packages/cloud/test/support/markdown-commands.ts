/** A block of commands on a page, and what they print as the page says. */
export interface Step {
  /** The heading above it. */
  readonly section: string
  readonly commands: string
  /** What they print; `…` stands for anything. Undefined where the page does not say. */
  readonly printed: string | undefined
}

/** The fenced blocks of a page: `sh` is run, `json` or `text` behind it is what it prints. */
export function parseCommands(markdown: string): Step[] {
  const steps: { section: string; commands: string; printed: string | undefined }[] = []
  for (const [, heading, language, content = ''] of markdown.matchAll(
    /^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    const last = steps.at(-1)
    if (heading !== undefined) steps.push({ section: heading, commands: '', printed: undefined })
    else if (language === 'sh')
      steps.push({ section: last?.section ?? '', commands: content, printed: undefined })
    else if (last !== undefined) last.printed = content
  }
  return steps.filter(({ commands }) => commands !== '')
}

/** Whether something was printed as a page says. Spaces and line breaks do not count: answers end without one. */
export function isAsPrinted(expected: string, actual: string): boolean {
  const parts = tight(expected).split('…')
  const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*?')
  return new RegExp(`^${source}$`).test(tight(actual))
}

const tight = (text: string) => text.replace(/\s+/g, '')
