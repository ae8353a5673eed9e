// Which of two versions needs more, judged by the rounds in which both had a turn.
//
// The figure of a case is the median of the Walsh averages of the rounds' ratios (Hodges and Lehmann), and its interval holds with 99 %
// by Wilcoxon's exact signed ranks. Both need no normal distribution, and a round that another program disturbed moves them by one rank
// only, however far off it is; a bootstrap over so few rounds gives intervals that are too narrow. Ratios are compared as logarithms,
// so that twice and half weigh the same.

/** Less is not worth a change of the code, and two builds of the same sources may differ by as much. */
const MINIMUM_EFFECT = 1.05;
/** An interval that reaches so far answers nothing. */
const UNCLEAR = 1.25;
/** Of an interval. With fewer than eight rounds no interval is so sure. */
const CONFIDENCE = 0.99;
export const LEAST_ROUNDS = 8;

/** In how many of the 2^n choices of signs the positive ranks have each sum. */
function countRankSums(n) {
  const counts = new Array((n * (n + 1)) / 2 + 1).fill(0);
  counts[0] = 1;
  for (let rank = 1; rank <= n; rank += 1)
    for (let sum = counts.length - 1; sum >= rank; sum -= 1) counts[sum] += counts[sum - rank];
  return counts;
}

/** How many Walsh averages to leave out at each end. */
export function findMargin(n) {
  const counts = countRankSums(n);
  const most = ((1 - CONFIDENCE) / 2) * 2 ** n;
  let margin = -1;
  for (let below = 0; ; margin += 1) {
    below += counts[margin + 1];
    if (below > most) return margin;
  }
}

/**
 * @param {readonly number[]} before the duration of each round
 * @param {readonly number[]} now the same rounds in the other version
 * @returns the ratio of now to before, with its interval
 */
export function compareRounds(before, now) {
  const logs = before.map((value, round) => Math.log(now[round] / value));
  if (logs.length < LEAST_ROUNDS) throw new Error(`${logs.length} rounds are not enough.`);
  if (!logs.every(Number.isFinite)) throw new Error('A round took no time.');
  const averages = logs
    .flatMap((one, index) => logs.slice(index).map((other) => (one + other) / 2))
    .sort((a, b) => a - b);
  const margin = findMargin(logs.length);
  const at = (index) => Math.exp(averages[index]);
  const middle = (averages.length - 1) / 2;
  return {
    ratio: Math.sqrt(at(Math.floor(middle)) * at(Math.ceil(middle))),
    low: at(margin),
    high: at(averages.length - 1 - margin),
  };
}

/**
 * Slower or faster only beyond noise, and by the minimum or more.
 * @param {{ ratio: number, low: number, high: number }} whole all processes together
 * @param {boolean} hasGrown whether one of them has for sure
 */
export function judge({ ratio, low, high }, hasGrown = false) {
  if ((low > 1 || hasGrown) && ratio >= MINIMUM_EFFECT) return 'slower';
  if (high < 1 && ratio <= 1 / MINIMUM_EFFECT) return 'faster';
  return high < UNCLEAR ? 'same' : 'unclear';
}

/**
 * The processes that need more beyond noise, and by the minimum of the whole: another one's noise would hide it.
 * @param {number} whole the sum of all of them before
 */
export const findGrown = (whole, processes) =>
  Object.keys(processes).filter((name) => {
    const { before, now, low } = processes[name];
    return low > 1 && now - before >= whole * (MINIMUM_EFFECT - 1);
  });
