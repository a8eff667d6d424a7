export interface Link {
  readonly target: string
  /** Position in characters from the start of the page. */
  readonly offset: number
}

/** The inline links and images of a page, except those in code. */
export function linksOf(text: string): Link[] {
  return [...blankCode(text).matchAll(/\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(
    ({ index, 1: target = '' }) => ({ target, offset: index }),
  )
}

/** The anchors of a page as GitHub creates them: slugs of the headings, and the ids of `<a>` elements. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of blankFences(text).matchAll(/^#{1,6} +(.+?)\s*#*$/gm)) {
    const slug = slugOf(title)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)">/g)) anchors.add(id)
  return anchors
}

function slugOf(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Replaces code blocks with spaces, so that offsets stay the same. */
function blankFences(text: string): string {
  return text.replaceAll(/^( *)(`{3,}|~{3,})[\s\S]*?^\1?\2/gm, blank)
}

function blankCode(text: string): string {
  return blankFences(text).replaceAll(/(`+)[^`\n]+\1/g, blank)
}

function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, ' ')
}
