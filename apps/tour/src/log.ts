/** One line a happening, without what was said or seen. */
export function log(line: string): void {
  console.log(`tour: ${line}`)
}
