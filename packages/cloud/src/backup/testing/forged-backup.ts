import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, type TarHeader, unpackTar } from 'modern-tar'
import { type BackupHeader, type BackupManifest, tableOfEntry } from '../format.ts'

/** An entry of a backup; `tar` changes its header in the tar file. */
export interface ForgedEntry {
  readonly name: string
  content: Buffer
  readonly tar?: Partial<TarHeader>
}

/**
 * The content of a backup that tests change. It is written with a manifest that fits: hashes tell damage, and whoever can
 * write the file can forge them.
 */
export class ForgedBackup {
  entries: ForgedEntry[]

  private constructor(entries: ForgedEntry[]) {
    this.entries = entries
  }

  static async read(file: string): Promise<ForgedBackup> {
    const entries = await unpackTar(readFileSync(file), { strict: true })
    return new ForgedBackup(
      entries.map(({ header, data }) => ({ name: header.name, content: Buffer.from(data ?? []) })),
    )
  }

  copy(): ForgedBackup {
    return new ForgedBackup(this.entries.map((entry) => ({ ...entry })))
  }

  find(name: string): ForgedEntry {
    const entry = this.entries.find((each) => each.name === name)
    if (entry === undefined) throw new Error(`The backup has no entry ${name}`)
    return entry
  }

  replace(name: string, content: Buffer): void {
    this.find(name).content = content
  }

  /** Adds an entry before another one. */
  insert(before: string, entry: ForgedEntry): void {
    this.entries.splice(this.entries.indexOf(this.find(before)), 0, entry)
  }

  get header(): BackupHeader {
    return JSON.parse(String(this.find('backup.json').content))
  }

  set header(header: BackupHeader) {
    this.find('backup.json').content = Buffer.from(`${JSON.stringify(header)}\n`)
  }

  /** Replaces the lines of the first part with rows of a table, or of the list of files. */
  editLines(name: string, edit: (lines: unknown[]) => unknown[]): void {
    const entry = this.find(name)
    const lines = String(gunzipSync(entry.content)).trim().split('\n')
    this.setText(
      name,
      edit(lines.map((line) => JSON.parse(line)))
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
  }

  setText(name: string, text: string): void {
    this.find(name).content = gzipSync(text)
  }

  /** Makes the manifest and the end mark fit the entries. */
  async seal(change: (manifest: BackupManifest) => void = () => {}): Promise<this> {
    const entry = this.find('manifest.json')
    const manifest: BackupManifest = JSON.parse(String(entry.content))
    const isPart = (name: string) => !/^(files\/|manifest\.json)/.test(name)
    manifest.parts = this.entries
      .filter(({ name, tar }) => isPart(name) && tar === undefined)
      .map(({ name, content }) => ({ name, size: content.byteLength, sha256: hashOf(content) }))
    manifest.rows = Object.fromEntries(this.header.tables.map(({ name }) => [name, 0]))
    for (const { name, content } of this.entries) {
      const table = tableOfEntry(name)
      if (table !== undefined) manifest.rows[table] = (manifest.rows[table] ?? 0) + countLines(content)
    }
    change(manifest)
    entry.content = Buffer.from(JSON.stringify(manifest))
    this.find('manifest.json.sha256').content = Buffer.from(`${hashOf(entry.content)}  manifest.json\n`)
    return this
  }

  async tar(): Promise<Buffer> {
    return Buffer.from(
      await packTar(
        this.entries.map(({ name, content, tar }) => ({
          header: { name, size: content.byteLength, ...tar },
          ...(tar?.type === undefined && { data: content }),
        })),
      ),
    )
  }

  async write(file: string): Promise<void> {
    writeFileSync(file, await this.tar())
  }
}

function countLines(content: Buffer): number {
  try {
    return String(gunzipSync(content, { maxOutputLength: 16 * 1024 * 1024 }))
      .split('\n')
      .filter((line) => line !== '').length
  } catch {
    return 0
  }
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
