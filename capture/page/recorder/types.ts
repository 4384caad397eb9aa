// The parts of rrweb's event format that the recorder itself reads or writes.

export const enum EventType {
  DomContentLoaded,
  Load,
  FullSnapshot,
  IncrementalSnapshot,
  Meta,
  Custom,
  Plugin,
}

export const enum Source {
  Mutation,
  MouseMove,
  MouseInteraction,
  Scroll,
  ViewportResize,
  Input,
  TouchMove,
  MediaInteraction,
  StyleSheetRule,
  CanvasMutation,
  Font,
  Log,
  Drag,
  StyleDeclaration,
  Selection,
  AdoptedStyleSheet,
  CustomElement,
}

export const enum NodeType {
  Document,
  DocumentType,
  Element,
  Text,
  CDATA,
  Comment,
}

export type Attributes = Record<string, unknown>;

export interface SerializedNode {
  type: NodeType;
  id: number;
  tagName?: string;
  attributes?: Attributes;
  textContent?: string;
  childNodes?: SerializedNode[];
  isShadowHost?: boolean;
}

export interface MutationData {
  source: Source.Mutation;
  texts: {id: number; value: string | null}[];
  attributes: {id: number; attributes: Attributes}[];
  removes: {parentId: number; id: number}[];
  adds: {parentId: number; nextId: number | null; node: SerializedNode}[];
}

export interface RecordedEvent {
  type: EventType;
  timestamp: number;
  data: any;
}

/** rrweb's node ids. */
export interface Mirror {
  getId(node: Node | null | undefined): number;
  getNode(id: number): Node | null;
}

/** What the program tells a recorder when it injects it. */
export interface Config {
  /** Name of the events that hooks.js dispatches. */
  event: string;
  /** Elements under these never show text or values. */
  maskSelectors: string[];
  /** URLs of the document keep their query keys only (tier `replay`). */
  redactUrls: boolean;
}
