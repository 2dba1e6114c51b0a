import { INNER_CHILDREN, isLeaf, LEAF_ENTRIES, type Leaf, NODE_BYTES, type Node } from './list-node.ts';

/** Where a node grew: a list that grows at one end leaves full nodes behind it. */
export type Growth = 'start' | 'end' | 'even';

/** A node in memory, and the least key that belongs to it. */
export interface Part {
  separator: string;
  node: Node;
}

/** What of a node's room is taken, by number or by bytes; beyond 1 it must be split. */
export function fillOf(node: Node): number {
  const bytes = sizesOf(node).reduce((sum, size) => sum + size, 0);
  return Math.max(lengthOf(node) / mostOf(node), bytes / NODE_BYTES);
}

/** Counted entries of a whole subtree. */
export function countOf(node: Node): number {
  return isLeaf(node) ? node.keys.length : node.children.reduce((sum, { count }) => sum + count, 0);
}

function lengthOf(node: Node): number {
  return isLeaf(node) ? node.keys.length : node.children.length;
}

/** The right neighbour's entries after the left one's. */
export function joinNodes(left: Node, right: Node): Node {
  if (isLeaf(left) && isLeaf(right)) {
    return { level: 0, keys: [...left.keys, ...right.keys], bodies: [...left.bodies, ...right.bodies] };
  }
  if (isLeaf(left) || isLeaf(right)) throw new Error('Neighbours in a tree are of one level');
  return { level: left.level, children: [...left.children, ...right.children] };
}

/** The node in parts of which each has room for its entries; none where it is empty. */
export function splitNode({ separator, node }: Part, growth: Growth): Part[] {
  const length = lengthOf(node);
  if (length === 0) return [];
  const sizes = sizesOf(node);
  const starts = cuts(sizes, mostOf(node), growth);
  return starts.map((start, i) => ({
    separator: i === 0 ? separator : separatorAt(node, start),
    node: cutOut(node, start, starts[i + 1] ?? length),
  }));
}

/** Where the parts begin. */
function cuts(sizes: number[], most: number, growth: Growth): number[] {
  if (growth === 'start') {
    // Mirrored: the parts fill up from the end.
    const mirrored = cuts(sizes.toReversed(), most, 'end');
    return [0, ...mirrored.slice(1).map((cut) => sizes.length - cut)].sort((a, b) => a - b);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const parts = Math.max(Math.ceil(sizes.length / most), Math.ceil(bytes / NODE_BYTES));
  const room = growth === 'end' ? most : Math.ceil(sizes.length / parts);
  const starts = [0];
  let inPart = 0;
  let bytesInPart = 0;
  for (const [i, size] of sizes.entries()) {
    if (inPart > 0 && (inPart === room || bytesInPart + size > NODE_BYTES)) {
      starts.push(i);
      inPart = 0;
      bytesInPart = 0;
    }
    inPart++;
    bytesInPart += size;
  }
  return starts;
}

function cutOut(node: Node, start: number, end: number): Node {
  if (!isLeaf(node)) return { level: node.level, children: node.children.slice(start, end) };
  return { level: 0, keys: node.keys.slice(start, end), bodies: node.bodies.slice(start, end) };
}

function separatorAt(node: Node, start: number): string {
  if (!isLeaf(node)) return node.children[start]?.separator ?? '';
  return between(node.keys[start - 1] ?? '', node.keys[start] ?? '');
}

/** The shortest key that is beyond `left` and not beyond `right`. */
function between(left: string, right: string): string {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  return right.slice(0, same + 1);
}

function mostOf(node: Node): number {
  return isLeaf(node) ? LEAF_ENTRIES : INNER_CHILDREN;
}

/** The bytes that each entry takes; see the layouts in list-node.ts. */
function sizesOf(node: Node): number[] {
  if (!isLeaf(node)) return node.children.map(({ separator }) => separator.length + 14);
  return node.keys.map((key, i) => key.length + sizeOfBody(node, i) + 9);
}

function sizeOfBody(leaf: Leaf, i: number): number {
  return leaf.bodies[i]?.length ?? 0;
}
