/** Logs one line. Never contains transcripts or images. */
export function log(line: string): void {
  console.log(`tour: ${line}`)
}
