// What the checker is told of the script's data: what goes over the wire and into the browser's store.

type Ratings = Record<string, number>;
type Passage = [before: number, text: string];
type State = "unjudged" | "judged" | "later" | "reopened" | "cannot_judge" | "given_up";

/** A document of the queue, as it will be once every act is saved. */
interface Entry {
  number: number;
  kind: string;
  docno: string;
  version: number;
  state: State;
  grade: number | null;
  reason: string;
  comment: string;
  change: number;
  /** The last change that was heard of, which is that of acts once it is shown. */
  told: number;
  judged_version: number;
  judged_topic: number;
  by: string;
  former: number | null;
  title: string;
  /** Of unjudged ones, the highest come first. */
  priority: number;
  ratings: Ratings;
  passages: Passage[];
  /** Of practice, once answered: the grade known then, the one known now if another, and why. */
  /** Of adjudication, once decided: who gave which grade. */
  named?: [name: string, grade: number][];
  known?: { grade: number; now: number | null; why: string };
  /** Of its last change in time. */
  order: number;
  /** The id of its last act that is not confirmed. */
  last: string | null;
}

/** What was pressed. */
interface Act {
  number: number;
  docno: string;
  choice: string;
  reason: string;
  comment?: string;
  ratings?: Ratings;
  passages?: Passage[];
  change?: number;
  after?: string;
  before: Partial<Entry>;
  client_id?: string;
  document_version?: number;
  topic_version?: number;
  scale?: string;
  opinions?: string;
  method?: string;
  at?: string;
  active_ms?: number;
  away_ms?: number;
  viewed_ms?: number;
  place?: string;
  address?: string;
  seq?: number;
  tried?: boolean;
  refused?: string;
}

/** The server's answer to an act. */
type Standing = Partial<Entry>;

/** What became of a form that was sent. */
interface Answer {
  saved?: any;
  refused?: string;
  now?: any;
  trouble?: string;
  detail?: string; // of a problem, as programs are told it
}

/** What waits to be sent again, for Pending; what is refused is not the next any more. */
interface Unsent {
  next(): any;
  saved(item: any, saved: any): any;
  refused(item: any, answer: Answer): any;
  trouble(sentence: string, item: any): void;
}

interface Hit {
  key: string;
  start: Text;
  at: number;
  end: Text;
  to: number;
  offset: number;
  block?: any;
  range?: StaticRange;
}

/** What the list beside a document can be narrowed to. */
interface Filter {
  value: string;
  words?: string;
  grade?: string;
  is: (entry: Entry) => boolean;
}

/** A failure with a sentence for the person. */
interface Error { sentence?: string }

// A page's elements are what its template says.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Document { getElementById(id: string): any }
interface Element { closest(selectors: string): any }
interface EventTarget {
  closest?(selectors: string): any;
  matches?(selectors: string): boolean;
  src?: string;
}
interface Event { detail?: any }

/** What the judging page works with. */
interface Desk {
  queue?: Queue;
  outbox?: Outbox;
  drafts?: Drafts;
  store?: any;
  /** Only in practice. */
  /** Of adjudication: takes the grade under a letter. */
  take?(letter: string): void;
  /** Of adjudication: has documents fetched anew, and says what has left the list. */
  forget?(changed: { number: number }[]): void;
  gone?: string;
  /** Of adjudication: the version of what the assessors said, as it is on the screen. */
  opinions?(): string | undefined;
  /** Of adjudication: who gave which grade, once a document is decided. */
  tellNames?(act: Act, now: Standing): void;
  showKnown?(entry?: Entry): void;
  stay?(entry: Entry): boolean;
  /** Only where something is asked beside the grade. */
  further?: Further;
  /** The topic's version and the scale that the page shows. */
  seen?: { topic_version: number; scale: string };
  /** What redo gives again. */
  undone: any[];
  isStopped: boolean;
  /** Why the page is not ready yet. */
  notYet: string;
}

// The parts of the judging page, by the names of their classes.
type Drafts = import("../../static/js/judging/store.js").Drafts;
type Further = import("../../static/js/judging/further.js").Further;
type Outbox = import("../../static/js/judging/outbox.js").Outbox;
type Queue = import("../../static/js/judging/queue.js").Queue;

/** How a file that is sent in pieces stands. */
interface Progress {
  n: number;
  size: number;
  seconds?: number;
  waits: string;
  isPaused: boolean;
}
