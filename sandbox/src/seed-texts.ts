/** The topic of an account's posts. Invented, like everything here. */
export interface Theme {
  readonly titles: readonly [string, ...string[]];
  readonly sentences: readonly [string, ...string[]];
  readonly tags: readonly [string, ...string[]];
}

export const KITCHEN: Theme = {
  titles: [
    'Mussels at dawn',
    'One pot, three fishermen',
    'The bread that never fails',
    'Lemon butter in four minutes',
    'What the tide left us',
    'Smoked mackerel, no smoker',
    'Soup for a stormy Tuesday',
    'The knife I use for everything',
    'Pickled onions, ready by supper',
    'Scallops without fear',
    'Breakfast on the quay',
    'Ten-minute chowder',
    'How to buy a crab',
    'Seaweed crisps',
    'A very small kitchen tour',
    'Potatoes, three ways',
    'Grandmother’s fish pie',
    'Rain, rye and sardines',
  ],
  sentences: [
    'Three pots, one burner, no plan.',
    'Salt the water until it tastes like the harbour.',
    'Ask for the small ones; they are sweeter.',
    'If it smells of the sea you are doing it right.',
    'Recipe is on the noticeboard by the door.',
    'We ate this standing up, and so should you.',
    'Butter is not optional here.',
    'Tell us what you would serve with it.',
  ],
  tags: ['#harbour', '#onepot', '#seafood', '#smallkitchen', '#cookwithme'],
};

export const NIGHT_SKY: Theme = {
  titles: [
    'The Pleiades from a car park',
    'Forty minutes of Orion',
    'Moonrise behind the radio mast',
    'Tracking Jupiter by hand',
    'Star trails, eight hours',
    'A comet, barely',
    'Milky Way over the reservoir',
    'First light with the new lens',
    'Clouds won tonight',
    'Counting satellites',
    'Cold hands, clear sky',
    'The Andromeda galaxy in one frame',
  ],
  sentences: [
    'Shot at f/2.8, thirty seconds, far too cold.',
    'The forecast said cloudy; the forecast was wrong.',
    'Stacked from ninety-six frames.',
    'No tracker, just patience.',
    'You can see the dust lanes if you look long enough.',
    'Bring gloves. Bring more gloves.',
  ],
  tags: ['#nightsky', '#astro', '#longexposure', '#darksky'],
};

export const BOOKS: Theme = {
  titles: [
    'كتاب واحد غيّر رأيي',
    'قراءة في المقهى',
    'خمس روايات قصيرة للشتاء',
    'رفّ جديد وكتب قديمة',
    'שלושה ספרים לסוף השבוע',
    'رسالة من قارئ',
    'لماذا نعيد القراءة؟',
    'ספר, קפה וגשם',
    'صفحة أولى لا تُنسى',
    'نادي القراءة، اللقاء الثاني عشر',
  ],
  sentences: [
    'نلتقي كل خميس عند السابعة مساءً.',
    'اقرأوا الفصل الأول ثم أخبرونا.',
    'الكتاب متوفر في المكتبة العامة.',
    'מוזמנים להצטרף אלינו.',
    'سؤال هذا الأسبوع: من هو الراوي؟',
  ],
  tags: ['#قراءة', '#كتب', '#ספרים', '#نادي_القراءة'],
};

/** Put before a title now and then. */
export const EMOJI = ['🦪', '🌊✨', '🔥', '👩🏽‍🍳', '🇳🇴', '🫶🏿', '🌌', '📚', '👨‍👩‍👧‍👦'] as const;

/** Right to left, to be met also in accounts that write from left to right. */
export const RIGHT_TO_LEFT = 'طبق اليوم: بلح البحر مع الليمون';
