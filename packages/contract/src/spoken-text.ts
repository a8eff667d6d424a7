import type { Link, Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** Elements of HTML and SSML within a sentence, and those between sentences. Other words in angle brackets are text. */
const INLINE_ELEMENTS =
  'a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|emphasis|font|i|ins|kbd|lang|lexicon|mark|phoneme|prosody|q|rp|rt|ruby|s|samp|say-as|small|span|strike|strong|sub|sup|time|token|tt|u|var|voice|w|wbr'
const BLOCK_ELEMENTS =
  'article|aside|audio|blockquote|body|br|break|button|caption|center|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|img|input|label|li|link|main|meta|nav|ol|option|p|pre|section|select|speak|summary|svg|table|tbody|td|tfoot|th|thead|title|tr|ul|video'
const ATTRIBUTES = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))*\s*\/?`
/** Elements of other namespaces have a colon in their name, such as `amazon:effect`. */
const INLINE_TAG = new RegExp(`</?(?:${INLINE_ELEMENTS}|[a-z]+:[a-z-]+)${ATTRIBUTES}>`, 'gi')
const BLOCK_TAG = new RegExp(`[^\\S\\n]*</?(?:${BLOCK_ELEMENTS})${ATTRIBUTES}>[^\\S\\n]*`, 'gi')

/** Marks of quotes and lists at the beginning of a line, more than people nest. Each takes time for all lines that follow. */
const DEEP_NESTING = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?=[ \t>]|$)){10,}[ \t]*/gm

/** What is no text: comments, declarations, and elements with code. */
const NO_TEXT = /<!--.*?-->|<\?.*?\?>|<!\w[^<>]*>|<(script|style)\b[^<>]*>.*?<\/\1\s*>/gis

/** An address on the web, whose host is what people say. */
const ADDRESS =
  /\b(?:https?:\/\/(?:[^\s/@<>]*@)?|(?=www\.))(?:www\.)?((?:[\p{L}\p{M}\p{N}_-]+\.)*[\p{L}\p{M}\p{N}_-]+)(?::\d+)?(?:[/?#][^\s<>"\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]*)?/giu

/** Punctuation at the end of an address that belongs to the sentence. */
const AFTER_ADDRESS = /[.,;:!?'”’)\]}]+$/

/** Emoji with the space before them. Signs such as © and arrows are text. */
const EMOJI =
  /[^\S\n]?(?:\p{RGI_Emoji}|[\p{Extended_Pictographic}--[©®™‼⁉〰〽㊗㊙ℹ↔-↪]]\uFE0F?|[\u{1F3FB}-\u{1F3FF}])+/gv
const KEYCAP = /([0-9#*])\uFE0F?\u20E3/gu

/** The end of a sentence or clause, where a voice pauses. */
const PAUSE = /\p{P}$/u

/** HTML is read like the text around it, and text that is indented is no code. */
const PARSER = {
  extensions: [gfm({ singleTilde: false }), { disable: { null: ['htmlFlow', 'codeIndented'] } }],
  mdastExtensions: [gfmFromMarkdown()],
}

/**
 * Returns what a person would read aloud of a text with markup (Markdown, HTML, SSML): its words, addresses reduced to their
 * host, and neither marks of formatting nor emoji. Other text, and a text without words, is as it was, without the spaces around it.
 */
export function spokenText(text: string): string {
  return new Reading(text.replaceAll(NO_TEXT, ' ').replaceAll(DEEP_NESTING, '')).text || text.trim()
}

/** What separates two parts of a text: the cells of a row, items of a list, or paragraphs. */
type Gap = 'cell' | 'item' | 'paragraph'

/** The punctuation and the space of each gap. */
const SEPARATORS: Readonly<Record<Gap, readonly [mark: string, space: string]>> = {
  cell: [',', ' '],
  item: ['.', '\n'],
  paragraph: ['', '\n\n'],
}

/** Which gap follows a part of a text. */
const GAP_AFTER: { readonly [Type in Nodes['type']]?: Gap } = {
  tableCell: 'cell',
  tableRow: 'item',
  listItem: 'item',
  heading: 'item',
  paragraph: 'paragraph',
  code: 'paragraph',
}

/** Collects the words of a document. Nodes may be nested thousands of levels deep, so that there is no recursion. */
class Reading {
  readonly #source: string
  #text = ''
  #gap: Gap | undefined

  constructor(source: string) {
    this.#source = source
    const open: { readonly node: Nodes; next: number }[] = [{ node: fromMarkdown(source, PARSER), next: 0 }]
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const child = 'children' in top.node ? top.node.children[top.next] : undefined
      top.next += 1
      if (child) {
        this.#enter(child, top.node)
        open.push({ node: child, next: 0 })
      } else {
        this.#leave(top.node)
        open.pop()
      }
    }
  }

  get text(): string {
    return this.#text.replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n').trim()
  }

  #enter(node: Nodes, parent: Nodes): void {
    if (node.type === 'text')
      this.#add(parent.type === 'link' ? labelOf(node.value, parent) : plain(node.value))
    else if (node.type === 'html') this.#add(plain(node.value))
    else if (node.type === 'inlineCode' || node.type === 'code') this.#add(withoutAddresses(node.value))
    else if (node.type === 'image' || node.type === 'imageReference') this.#add(plain(node.alt ?? ''))
    else if (node.type === 'break') this.#add('\n')
    else if (node.type === 'listItem') this.#add(this.#markerOf(node, parent))
    else this.#add(this.#literalMarker(node))
  }

  #leave(node: Nodes): void {
    this.#add(this.#literalMarker(node))
    this.#gap = GAP_AFTER[node.type] ?? this.#gap
  }

  #add(text: string): void {
    if (text === '') return
    if (this.#gap !== undefined && this.#text !== '') {
      // After a title, an item or a cell a voice pauses, although there is no punctuation.
      const isOpen = !PAUSE.test(this.#text)
      const [mark, space] = SEPARATORS[this.#gap]
      this.#text += (isOpen ? mark : '') + space
    }
    this.#gap = undefined
    this.#text += text
  }

  /** The number of an item as it is written; otherwise empty, unless it is the sign of a number. */
  #markerOf({ position }: Nodes, list: Nodes): string {
    const start = position?.start.offset ?? 0
    const isAlone = 'children' in list && list.children.length === 1
    const marker = (isAlone ? /^(?:\d+[.)]|[-+](?= \d))/ : /^\d+[.)]/).exec(
      this.#source.slice(start, start + 12),
    )
    return marker ? `${marker[0]} ` : ''
  }

  /** The asterisks of an emphasis within a word or number, which are text there, as in `2*3*4`; otherwise empty. */
  #literalMarker({ type, position }: Nodes): string {
    if ((type !== 'emphasis' && type !== 'strong') || position === undefined) return ''
    const { start, end } = position
    const outside = [(start.offset ?? 0) - 1, end.offset ?? 0].map((offset) => this.#source[offset] ?? '')
    const isLiteral =
      outside.some((character) => /\p{N}/u.test(character)) ||
      outside.every((character) => /[\p{N}\p{Script=Latin}]/u.test(character))
    if (!isLiteral) return ''
    return type === 'strong' ? '**' : '*'
  }
}

/** The words of a text without tags, addresses and emoji. */
function plain(text: string): string {
  return withoutAddresses(text.replaceAll(INLINE_TAG, '').replaceAll(BLOCK_TAG, '\n'))
    .replaceAll(KEYCAP, '$1')
    .replaceAll(EMOJI, '')
}

/** The label of a link. Of an address in angle brackets it is the address. */
function labelOf(label: string, { url }: Link): string {
  if (label !== url || /^https?:/i.test(url)) return plain(label)
  return /^(?:mailto|tel):(.*)/i.exec(url)?.[1] ?? ''
}

function withoutAddresses(text: string): string {
  return text.replaceAll(ADDRESS, (address, host) => {
    const after = AFTER_ADDRESS.exec(address)?.[0] ?? ''
    return host + (address.includes('(') ? after.replaceAll(')', '') : after)
  })
}
