import { cutText } from '@glasses-cloud/contract'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { ChevronRight } from '../../components/icons.ts'
import styles from './FrameTree.module.css'

/** Longer texts, such as pictures, are cut. */
const MAX_TEXT_LENGTH = 500

/** Fields and entries that are shown of one object or list. */
const MAX_CHILDREN = 100

interface Node {
  /** The path, which is unique. */
  readonly id: string
  readonly name: string
  /** The value; absent for an object or a list with something in it. */
  readonly text?: string
  readonly children: readonly Node[]
}

/** A JSON value as a tree, open at its first two levels. */
export function FrameTree({ label, value }: { readonly label: string; readonly value: unknown }) {
  const { children, text } = toNode('', '', value)
  if (text !== undefined) return <pre>{text}</pre>
  const open = children.filter((child) => child.children.length > 0).map(({ id }) => id)
  return (
    <Tree aria-label={label} items={children} defaultExpandedKeys={open} className={styles.tree ?? ''}>
      {renderNode}
    </Tree>
  )
}

function renderNode({ id, name, text, children }: Node) {
  return (
    <TreeItem
      id={id}
      textValue={text === undefined ? name : `${name}: ${text}`}
      className={styles.item ?? ''}
    >
      <TreeItemContent>
        {children.length > 0 && (
          <Button slot="chevron" aria-label="Show or hide" className={styles.chevron ?? ''}>
            <ChevronRight aria-hidden />
          </Button>
        )}
        <span className={styles.name}>{name}</span>
        {text !== undefined && <span className={styles.value}>{text}</span>}
      </TreeItemContent>
      <Collection items={children}>{renderNode}</Collection>
    </TreeItem>
  )
}

function toNode(path: string, name: string, value: unknown): Node {
  const id = `${path}/${name}`
  if (typeof value !== 'object' || value === null)
    return { id, name, text: cut(JSON.stringify(value)), children: [] }
  const entries = Object.entries(value)
  if (entries.length === 0) return { id, name, text: Array.isArray(value) ? '[]' : '{}', children: [] }
  return { id, name, children: entries.slice(0, MAX_CHILDREN).map(([key, child]) => toNode(id, key, child)) }
}

const cut = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${cutText(text, MAX_TEXT_LENGTH)}…` : text)
