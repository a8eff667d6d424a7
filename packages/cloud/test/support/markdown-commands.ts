/** A block of commands in a Markdown page, with the output that the page shows. */
export interface CommandStep {
  /** The heading above it. */
  readonly section: string
  readonly commands: string
  /** The output; `…` matches anything. Undefined if the page shows no output. */
  readonly output: string | undefined
}

/** Parses the fenced blocks of a page: `sh` is a step, a `json` or `text` block after it is its output. */
export function parseCommands(markdown: string): CommandStep[] {
  const steps: { section: string; commands: string; output: string | undefined }[] = []
  for (const [, heading, language, content = ''] of markdown.matchAll(
    /^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    const last = steps.at(-1)
    if (heading !== undefined) steps.push({ section: heading, commands: '', output: undefined })
    else if (language === 'sh')
      steps.push({ section: last?.section ?? '', commands: content, output: undefined })
    else if (last !== undefined) last.output = content
  }
  return steps.filter(({ commands }) => commands !== '')
}

/** Whether output matches that of the page. White space is ignored, because responses end without a line break. */
export function matchesOutput(expected: string, actual: string): boolean {
  const parts = withoutSpace(expected).split('…')
  const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*?')
  return new RegExp(`^${source}$`).test(withoutSpace(actual))
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')
