import type { Token } from 'markdown-it'
import MarkdownIt from 'markdown-it'

/** An element of a text: its tag, its children, and the address of a link or the first number of a list. */
export type TextBlock = { tag: string; children: TextNode[]; href?: string; start?: number }
export type TextNode = string | TextBlock

/** HTML in a file is shown as text. Images are left out, because they would need files of their own. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable(['image'])

/**
 * Parses Markdown into elements instead of HTML, so that the portal can build them itself and no markup of a file reaches a page.
 */
export const parseText = (text: string): TextBlock[] => buildTree(markdown.parse(text, {})).filter((node) => typeof node !== 'string')

function buildTree(tokens: readonly Token[]): TextNode[] {
  const root: TextNode[] = []
  const open: TextNode[][] = [root]
  for (const token of tokens) {
    const siblings = open.at(-1)!
    if (token.hidden) continue
    if (token.type === 'inline') siblings.push(...buildTree(token.children ?? []))
    else if (token.nesting === 1) {
      const block = buildBlock(token)
      siblings.push(block)
      open.push(block.children)
    } else if (token.nesting === -1) open.pop()
    else if (token.type === 'text') siblings.push(token.content)
    else if (token.type === 'softbreak') siblings.push(' ')
    else if (token.tag === 'br' || token.tag === 'hr') siblings.push({ tag: token.tag, children: [] })
    else if (token.tag === 'code') siblings.push({ tag: token.block ? 'pre' : 'code', children: [token.content] })
    else siblings.push(token.content)
  }
  return root
}

function buildBlock(token: Token): TextBlock {
  const href = token.attrGet('href')
  const start = Number(token.attrGet('start') ?? 1)
  return { tag: token.tag, children: [], ...(href !== null && { href }), ...(start !== 1 && { start }) }
}
