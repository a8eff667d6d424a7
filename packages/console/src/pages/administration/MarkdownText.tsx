/** Shows the code spans of a line of Markdown as code, and its links as their text. */
export function MarkdownText({ text }: { readonly text: string }) {
  const parts = text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').split('`')
  return (
    <>
      {parts.map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        index % 2 === 0 ? part : <code key={index}>{part}</code>,
      )}
    </>
  )
}
