// English names of regions, where their own administrations or posts write them in Latin letters:
// the provinces of the mainland, Hong Kong, Macau and Taiwan.

/** Complete names, by code. */
export const englishNames: Readonly<Record<string, string>> = {
  '110000': 'Beijing',
  '120000': 'Tianjin',
  '130000': 'Hebei',
  '140000': 'Shanxi',
  '150000': 'Inner Mongolia',
  '210000': 'Liaoning',
  '220000': 'Jilin',
  '230000': 'Heilongjiang',
  '310000': 'Shanghai',
  '320000': 'Jiangsu',
  '330000': 'Zhejiang',
  '340000': 'Anhui',
  '350000': 'Fujian',
  '360000': 'Jiangxi',
  '370000': 'Shandong',
  '410000': 'Henan',
  '420000': 'Hubei',
  '430000': 'Hunan',
  '440000': 'Guangdong',
  '450000': 'Guangxi',
  '460000': 'Hainan',
  '500000': 'Chongqing',
  '510000': 'Sichuan',
  '520000': 'Guizhou',
  '530000': 'Yunnan',
  '540000': 'Tibet',
  '610000': 'Shaanxi',
  '620000': 'Gansu',
  '630000': 'Qinghai',
  '640000': 'Ningxia',
  '650000': 'Xinjiang',
  '110100': 'Beijing',
  '120100': 'Tianjin',
  '310100': 'Shanghai',
  '500100': 'Chongqing',
  '810100': 'Hong Kong Island',
  '810200': 'Kowloon',
  '810300': 'New Territories',
  '820100': 'Macau Peninsula',
  '820200': 'Islands',
  '820102': 'Nossa Senhora de Fátima',
  '820103': 'Santo António',
  '820104': 'São Lázaro',
  '820105': 'Sé',
  '820106': 'São Lourenço',
  '820202': 'Nossa Senhora do Carmo (Taipa)',
  '820203': 'Cotai',
  '820204': 'São Francisco Xavier (Coloane)',
}

/** Names of the regions within a region, by its code, in the order of their codes. */
export const englishWithin: Readonly<Record<string, string>> = {
  '810100': 'Central and Western, Wan Chai, Eastern, Southern',
  '810200': 'Kowloon City, Yau Tsim Mong, Sham Shui Po, Wong Tai Sin, Kwun Tong',
  '810300': 'North, Tai Po, Sha Tin, Sai Kung, Yuen Long, Tuen Mun, Tsuen Wan, Kwai Tsing, Islands',
  TW:
    'Taipei, Kaohsiung, Tainan, Taichung, Kinmen, Nantou, Keelung, Hsinchu, Chiayi, New Taipei, ' +
    'Yilan, Hsinchu, Taoyuan, Miaoli, Changhua, Chiayi, Yunlin, Pingtung, Taitung, Hualien, ' +
    'Penghu, Lienchiang',
  '710100':
    "Zhongzheng, Datong, Zhongshan, Songshan, Da'an, Wanhua, Xinyi, Shilin, Beitou, Neihu, " +
    'Nangang, Wenshan',
  '710200':
    'Xinxing, Qianjin, Yancheng, Gushan, Qijin, Qianzhen, Sanmin, Zuoying, Nanzi, Xiaogang, ' +
    'Lingya, Renwu, Dashe, Gangshan, Luzhu, Alian, Tianliao, Yanchao, Qiaotou, Ziguan, Mituo, ' +
    "Yong'an, Hunei, Fengshan, Daliao, Linyuan, Niaosong, Dashu, Qishan, Meinong, Liugui, " +
    'Neimen, Shanlin, Jiaxian, Taoyuan, Namaxia, Maolin, Qieding',
  '710300':
    'West Central, East, South, North, Anping, Annan, Yongkang, Guiren, Xinhua, Zuozhen, Yujing, ' +
    'Nanxi, Nanhua, Rende, Guanmiao, Longqi, Guantian, Madou, Jiali, Xigang, Qigu, Jiangjun, ' +
    'Xuejia, Beimen, Xinying, Houbi, Baihe, Dongshan, Liujia, Xiaying, Liuying, Yanshui, ' +
    'Shanhua, ' +
    'Danei, Shanshang, Xinshi, Anding',
  '710400':
    'Central, East, South, West, North, Beitun, Xitun, Nantun, Taiping, Dali, Wufeng, Wuri, ' +
    'Fengyuan, Houli, Shigang, Dongshi, Heping, Xinshe, Tanzi, Daya, Shengang, Dadu, Shalu, ' +
    "Longjing, Wuqi, Qingshui, Dajia, Waipu, Da'an",
  '710500': 'Jinsha, Jinhu, Jinning, Jincheng, Lieyu, Wuqiu',
  '710600':
    "Nantou, Zhongliao, Caotun, Guoxing, Puli, Ren'ai, Mingjian, Jiji, Shuili, Yuchi, Xinyi, " +
    'Zhushan, Lugu',
  '710700': "Ren'ai, Xinyi, Zhongzheng, Zhongshan, Anle, Nuannuan, Qidu",
  '710800': 'East, North, Xiangshan',
  '710900': 'East, West',
  '711100':
    'Wanli, Jinshan, Banqiao, Xizhi, Shenkeng, Shiding, Ruifang, Pingxi, Shuangxi, Gongliao, ' +
    'Xindian, ' +
    'Pinglin, Wulai, Yonghe, Zhonghe, Tucheng, Sanxia, Shulin, Yingge, Sanchong, Xinzhuang, ' +
    'Taishan, Linkou, Luzhou, Wugu, Bali, Tamsui, Sanzhi, Shimen',
  '711200':
    'Yilan, Toucheng, Jiaoxi, Zhuangwei, Yuanshan, Luodong, Sanxing, Datong, Wujie, Dongshan, ' +
    "Su'ao, Nan'ao",
  '711300':
    'Zhubei, Hukou, Xinfeng, Xinpu, Guanxi, Qionglin, Baoshan, Zhudong, Wufeng, Hengshan, ' +
    'Jianshi, ' +
    'Beipu, Emei',
  '711400':
    'Zhongli, Pingzhen, Yangmei, Xinwu, Guanyin, Taoyuan, Guishan, Bade, Daxi, Dayuan, Luzhu, ' +
    'Longtan, Fuxing',
  '711500':
    'Toufen, Zhunan, Sanwan, Nanzhuang, Shitan, Houlong, Tongxiao, Yuanli, Miaoli, Zaoqiao, ' +
    "Touwu, Gongguan, Dahu, Tai'an, Tongluo, Sanyi, Xihu, Zhuolan",
  '711700':
    'Yuanlin, Changhua, Fenyuan, Huatan, Xiushui, Lukang, Fuxing, Xianxi, Hemei, Shengang, ' +
    'Shetou, ' +
    'Yongjing, Puxin, Xihu, Dacun, Puyan, Tianzhong, Beidou, Tianwei, Pitou, Xizhou, Zhutang, ' +
    'Erlin, Dacheng, Fangyuan, Ershui',
  '711900':
    'Fanlu, Meishan, Zhuqi, Alishan, Zhongpu, Dapu, Shuishang, Lucao, Taibao, Puzi, Dongshi, ' +
    'Liujiao, Xingang, Minxiong, Dalin, Xikou, Yizhu, Budai',
  '712100':
    'Dounan, Dapi, Huwei, Tuku, Baozhong, Dongshi, Taixi, Lunbei, Mailiao, Douliu, Linnei, ' +
    'Gukeng, ' +
    'Citong, Xiluo, Erlun, Beigang, Shuilin, Kouhu, Sihu, Yuanchang',
  '712400':
    'Kanding, Pingtung, Sandimen, Wutai, Majia, Jiuru, Ligang, Gaoshu, Yanpu, Changzhi, Linluo, ' +
    'Zhutian, Neipu, Wandan, Chaozhou, Taiwu, Laiyi, Wanluan, Xinpi, Nanzhou, Linbian, Donggang, ' +
    'Liuqiu, Jiadong, Xinyuan, Fangliao, Fangshan, Chunri, Shizi, Checheng, Mudan, Hengchun, ' +
    'Manzhou',
  '712500':
    'Taitung, Ludao, Lanyu, Yanping, Beinan, Luye, Guanshan, Haiduan, Chishang, Donghe, ' +
    'Chenggong, ' +
    'Changbin, Jinfeng, Dawu, Daren, Taimali',
  '712600':
    "Hualien, Xincheng, Xiulin, Ji'an, Shoufeng, Fenglin, Guangfu, Fengbin, Ruisui, Wanrong, " +
    'Yuli, ' +
    'Zhuoxi, Fuli',
  '712700': "Magong, Xiyu, Wang'an, Qimei, Baisha, Huxi",
  '712800': 'Nangan, Beigan, Dongyin, Juguang',
}

/**
 * The kind of a region in Taiwan, written after its name, by the last character of the Chinese
 * name.
 */
export const taiwanKinds: Readonly<Record<string, string>> = {
  县: 'County',
  市: 'City',
  区: 'District',
  乡: 'Township',
  镇: 'Township',
}
